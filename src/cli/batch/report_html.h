/* Text in HTML: whatever it holds, it stays text. */
#ifndef CLI_BATCH_REPORT_HTML_H
#define CLI_BATCH_REPORT_HTML_H

#include <stdio.h>

/* UTF-8 as the text of an element, or of an attribute in double quotes. */
void cli_html_text(FILE *out, const char *text);

/* The name of a file in the page's own folder, as an address. */
void cli_html_address(FILE *out, const char *name);

#endif
