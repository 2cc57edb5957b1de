/* A picture inside the page. */
#ifndef CLI_BATCH_REPORT_PICTURE_H
#define CLI_BATCH_REPORT_PICTURE_H

#include <stdio.h>

/* The PNG of this name in the folder, as an image that holds its own data; a link to it when it has
 * more than *room bytes, which it uses up; nothing when there is no such picture. */
void cli_report_put_picture(FILE *out, int folder_fd, const char *name, size_t *room);

#endif
