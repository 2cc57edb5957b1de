"""The manual of the command as MyST markdown. It knows the requests of roff that pathcount.1.in uses, and refuses others."""

import re

SPECIAL = {r"\-": "-", r"\&": "", r"\e": "\\", r"\(ha": "^", r"\(ti": "~", r"\(aq": "'", r"\(dq": '"', r"\~": " "}
CODE = {".nf": "\n```text", ".EX": "\n```text", ".fi": "```\n", ".EE": "```\n"}


def plain(text):
    return re.sub(r"\\\((?:ha|ti|aq|dq)|\\[-&e~]", lambda found: SPECIAL[found[0]], re.sub(r"\\f[BIRP]", "", text))


def inline(text):
    """Bold is code, italics are emphasis, and nothing else means anything to markdown."""
    made = ""
    for font, piece in re.findall(r"(?:^|\\f([BIRP]))((?:(?!\\f[BIRP]).)*)", text):
        before, inner, after = re.fullmatch(r"( *)(.*?)( *)", plain(piece)).groups()
        escaped = re.sub(r"([\\`*_<>\[\]{}$#|~^])", r"\\\1", inner)
        made += before + ({"B": f"`{inner}`", "I": f"*{escaped}*"}.get(font, escaped) if inner else "") + after
    return made.strip()


def markdown(roff):
    """The text below the title; headings are of level 2 and 3. prefix stands before the next line of text."""
    made, in_code, margin, prefix = [], False, "", ""
    for line in roff.replace("\\c\n", "").replace("\\ ", "\\~").splitlines():
        request, _, rest = line.partition(" ") if line.startswith((".", "'")) else ("", "", line)
        if request in CODE:
            in_code = request in (".nf", ".EX")
            made.append(CODE[request])
        elif in_code:
            made.append(plain(line))
        elif request in (".SH", ".SS"):
            margin = prefix = ""
            made.append(f"\n{'##' if request == '.SH' else '###'} {plain(rest).capitalize()}\n")
        elif request in (".PP", ".IP", ".TP"):
            margin = "" if request == ".PP" else margin if request == ".IP" and not rest else "  "
            prefix = {".TP": "\n", ".IP": ": " if rest else margin}.get(request, "")
            made.append("\n" + inline(rest.strip('"')))
        elif request in ("", ".B", ".BI", ".BR"):
            words = [a or b for a, b in re.findall(r'"([^"]*)"|(\S+)', rest)]
            fonts = [f"\\f{request[1 + i % 2]}{word}" for i, word in enumerate(words)] if len(request) == 3 else []
            made.append((prefix or margin) + inline("".join(fonts) or (f"\\fB{rest}" if request else line)))
            prefix = ": " if prefix == "\n" else ""
        elif request not in ('.\\"', ".TH", ".in", "."):
            raise ValueError(f"the manual has a request that this does not know: {line}")
    return "\n".join(made)
