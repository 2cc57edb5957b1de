/* A library that nobody asked for: it tells that it was opened, by the file MODULE_OPENED of the
 * environment. Tests put copies of it, under the names of libraries that the command uses, where they must not
 * be found. */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

__attribute__((constructor)) static void tell(void)
{
    const char *path = getenv("MODULE_OPENED");
    int file = path != NULL ? open(path, O_WRONLY | O_CREAT, 0666) : -1;
    if (file >= 0)
        close(file);
}
