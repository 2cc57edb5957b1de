/* How the page looks: on a screen, on a phone, on paper, by day and by night. */
#ifndef CLI_BATCH_REPORT_STYLE_H
#define CLI_BATCH_REPORT_STYLE_H

extern const char cli_report_style[];

#endif
