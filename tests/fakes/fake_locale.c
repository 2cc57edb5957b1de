/* A host program that follows the locale of its user, for tests of the command (LD_PRELOAD). */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

__attribute__((constructor)) static void follow_user(void)
{
    if (setlocale(LC_ALL, "") == NULL) {
        fputs("fake_locale: there is no such locale\n", stderr);
        abort();
    }
}
