# Completes a template by the table of options: the completions for shells and the manual.
#
#     awk -f make_texts.awk TABLE TEMPLATE
#
# The table is what list_options.c prints. These lines of a template are replaced, others are copied:
#
#     @commands, @bash options, @bash values, @zsh summaries, @zsh options
#     @options COMMAND TITLE    the options of a group, for the manual; it goes on to @end. Text between
#                               them, after a line "@ --option", follows the help of that option.
#     @$ LINE                   a line of an example for the manual, as it is typed
#
# It fails when the manual is without an option, or has a text about one that there is not.

BEGIN { FS = "\t" }

# ---- The table -----------------------------------------------------------------------------------

FNR == NR && $1 == "command" {
    commands[++n_commands] = $2
    summary[$2] = $3
    takes[$2] = $4
    next
}

FNR == NR {
    n++
    command[n] = $2; group[n] = $3; name[n] = $4; letter[n] = $5; argument[n] = $6; kind[n] = $7
    set[n] = $8; repeats[n] = $9; words[n] = $10; help[n] = $11
    next
}

function fail(why)
{
    print "make_texts: " why > "/dev/stderr"
    has_failed = 1
    exit 1
}

# ---- Completions ---------------------------------------------------------------------------------

$0 == "@commands" {
    known = alone = " "
    for (c = 1; c <= n_commands; c++) {
        known = known commands[c] " "
        alone = alone (takes[commands[c]] ? "" : commands[c] " ")
    }
    print "    local commands='" known "' alone='" alone "'"
    next
}

$0 == "@bash options" {
    for (c = 1; c <= n_commands; c++) {
        printf "    %s) options='", commands[c]
        for (i = 1; i <= n; i++)
            if (command[i] == commands[c])
                printf " %s%s", name[i], letter[i] == "" ? "" : " -" letter[i]
        print "' ;;"
    }
    next
}

# Each kind of value has a function in the template.
$0 == "@bash values" {
    for (i = 1; i <= n; i++)
        if (argument[i] != "")
            printf "    '%s %s'%s) _pathcount_%s '%s' ;;\n", command[i], name[i],
                letter[i] == "" ? "" : " | '" command[i] " -" letter[i] "'",
                kind[i], words[i]
    next
}

# The options that may not stand beside option i, with itself where it has a letter.
function zsh_rivals(i,    j, rivals)
{
    if (group[i] == "About")
        return "(- *)"
    for (j = 1; j <= n; j++)
        if (command[j] == command[i] && (i == j ? letter[i] != "" : set[i] && set[i] == set[j]))
            rivals = rivals " " (i == j ? "-" letter[i] " " : "") name[j]
    return rivals == "" ? "" : "(" substr(rivals, 2) ")"
}

function zsh_value(i,    message, list)
{
    message = argument[i]
    list = words[i]
    gsub(/:/, "\\:", list)
    if (sub(/ /, ": :", message))
        return ":" message ": "
    gsub(/:/, "\\:", message)
    return ":" message ":" (kind[i] == "folder" ? "_files -/" \
        : kind[i] == "vertex" ? "_pathcount_vertex" \
        : kind[i] == "file" ? (list == "" ? "_files" : " _pathcount_file " list) \
        : list == "" ? " " : "(" list ")")
}

function zsh_option(i,    about, equals)
{
    about = help[i]
    gsub(/:/, "\\:", about)
    gsub(/\[/, "\\[", about)
    gsub(/\]/, "\\]", about)
    equals = argument[i] == "" ? "" : "="
    printf "            '%s%s%s[%s]%s'\n", zsh_rivals(i), repeats[i] ? "*" : "",
        letter[i] == "" ? name[i] equals \
            : "'{-" letter[i] (equals == "" ? "" : "+") "," name[i] equals "}'",
        about, equals == "" ? "" : zsh_value(i)
}

$0 == "@zsh summaries" {
    for (c = 1; c <= n_commands; c++)
        print "        '" commands[c] ":" summary[commands[c]] "'"
    next
}

$0 == "@zsh options" {
    for (c = 1; c <= n_commands; c++) {
        print "    " commands[c] ")\n        specs=("
        for (i = 1; i <= n; i++)
            if (command[i] == commands[c])
                zsh_option(i)
        print "        )\n        ;;"
    }
    next
}

# ---- The manual ----------------------------------------------------------------------------------

function roff(text)
{
    gsub(/\\/, "\\e", text)
    gsub(/-/, "\\-", text)
    gsub(/\^/, "\\(ha", text)
    gsub(/'/, "\\(aq", text)
    return text
}

function roff_option(i,    long)
{
    long = roff(name[i])
    print ".TP"
    if (argument[i] != "")
        print ".BI " (letter[i] == "" ? "" : "\\-" letter[i] "\\~ " argument[i] " \\fR,\\ \\fB") \
            long "= \"" argument[i] "\""
    else
        print (letter[i] == "" ? ".B " : ".BR \\-" letter[i] " ,\\  ") long
    print roff(help[i]) "."
    printf "%s", note[name[i]]
    delete note[name[i]]
    is_described[name[i]] = 1
}

sub(/^@options /, "") {
    title = $0
    sub(/^[a-z]* /, "", title)
    of = substr($0, 1, length($0) - length(title) - 1)
    in_group = 1
    current = ""
    next
}

in_group && sub(/^@ /, "") {
    current = $0
    next
}

in_group && $0 == "@end" {
    in_group = n_found = 0
    for (i = 1; i <= n; i++)
        if (command[i] == of && group[i] == title) {
            roff_option(i)
            n_found++
        }
    for (option in note)
        fail("the text about '" option "' is of no option of " of ", " title)
    if (!n_found)
        fail(of " has no options under " title)
    next
}

in_group {
    note[current] = note[current] $0 "\n"
    next
}

# Lines of examples that follow one another are one example.
sub(/^@\$ /, "") {
    if (!in_example)
        print ".PP\n.in +4n\n.EX"
    in_example = 1
    print roff($0)
    next
}

in_example {
    in_example = 0
    print ".EE\n.in"
}

/^@/ { fail("no such line: " $0) }

{ print }

END {
    if (has_failed)
        exit 1
    for (option in is_described)
        is_manual = 1
    for (i = 1; is_manual && i <= n; i++)
        if (!(name[i] in is_described))
            fail("the manual is without " name[i])
}
