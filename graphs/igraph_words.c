/* What igraph, bison and libxml2 say about a file, in words that its owner can act on. */
#include "graphs/igraph_words.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Messages that say something about the file, by a part of them. */
static const struct {
    const char *part, *words;
} sentences[] = {
    {"Unknown target node", "no node has the id that is the target of this edge"},
    {"Unknown source node", "no node has the id that is the source of this edge"},
    {"No 'target' for edge", "an edge without a target"},
    {"No 'source' for edge", "an edge without a source"},
    {"Duplicate node id", "another node before has this id, too"},
    {"Node without 'id'", "a node without an id"},
    {"No 'graph' object", "there is no 'graph [ ... ]' in it: not GML"},
    {"Invalid string attribute length", "there are fewer labels than vertices"},
    {"while parsing real number", "a weight, or another attribute of numbers, is not a number"},
    {"Extra content", "the document ends early, or goes on after its end"},
    {"xmlParseEntityRef", "an & that begins no entity: XML has &amp; for the character"},
    {"tag mismatch", "an element is not closed: each <NAME> has its </NAME>"},
    {"StartTag: invalid element name",
     "a < that begins no element: XML has &lt; for the character"},
    {"Premature end of data", "the document ends early: an element is not closed"},
    {"out of bounds", "a number that is too large"},
};

/* Tokens of the parsers, as bison names them. */
static const struct {
    const char *token, *words;
} tokens[] = {
    {"end of file", "the end of the file"},
    {"end of line", "the end of the line"},
    {"newline", "the end of the line"},
    {"ALNUM", "a word"},
    {"ALPHANUM", "a word"},
    {"keyword", "a word"},
    {"label", "a name"},
    {"number", "a number"},
    {"string", "a text in quotes"},
    {"quoted string", "a text in quotes"},
    {"ERROR", "a character or an open quote"},
    {"[", "a '['"},
    {"]", "a ']'"},
};

/* What a file of the format looks like. */
static const struct {
    const char *format, *words;
} shapes[] = {
    {"gml", "GML has keys with values, as in 'edge [ source 1 target 2 ]', and closes each ["},
    {"pajek",
     "Pajek has '*Vertices N', lines 'NUMBER \"NAME\"', then *Edges or *Arcs and lines 'NUMBER "
     "NUMBER WEIGHT'"},
    {"dl",
     "DL has 'dl n = N', 'format = fullmatrix' or 'edgelist1', then 'data:' and rows or edges, in "
     "numbers unless it says 'labels embedded:'"},
    {"lgl", "LGL has '# NAME' and under it a line 'NAME WEIGHT' for each of its neighbours"},
    {"ncol", "NCOL has lines 'NAME NAME WEIGHT'"},
    {"graphml", "GraphML is XML with <node id=...> and <edge source=... target=...>"},
};

/* The words for the token at `at`, which a comma or the end of the message follows. */
static const char *find_token(const char *at)
{
    size_t length = strcspn(at, ",");
    for (size_t i = 0; i < sizeof tokens / sizeof *tokens; i++)
        if (strlen(tokens[i].token) == length && memcmp(tokens[i].token, at, length) == 0)
            return tokens[i].words;
    return "something";
}

static const char *find_shape(const char *format)
{
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (strcmp(shapes[i].format, format) == 0)
            return shapes[i].words;
    return "";
}

const char *pci_igraph_words(const char *format, const char *message,
                             char text[PCI_IGRAPH_WORDS_BYTES])
{
    static const char unexpected[] = "unexpected ";
    for (size_t i = 0; i < sizeof sentences / sizeof *sentences; i++)
        if (strstr(message, sentences[i].part))
            return sentences[i].words;
    if (!strstr(message, "syntax error"))
        return message;
    const char *token = strstr(message, unexpected);
    if (token && strncmp(token + strlen(unexpected), "end of file", 11) == 0)
        snprintf(text, PCI_IGRAPH_WORDS_BYTES, "the file ends early: %s", find_shape(format));
    else
        snprintf(text, PCI_IGRAPH_WORDS_BYTES, "%s is not expected here: %s",
                 token ? find_token(token + strlen(unexpected)) : "this", find_shape(format));
    return text;
}
