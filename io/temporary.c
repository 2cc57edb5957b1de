/* Temporary files. The lock is one of flock(). It belongs to the open file: all copies of the
 * descriptor share it, and it is released with the last of them, however the process ends. */
#define _GNU_SOURCE /* O_TMPFILE, O_PATH */
#include "io/temporary.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_TRIES = 100, LINK_BYTES = 32, PERMISSIONS = 0777 };

static const char PREFIX[] = ".pathcount-", SUFFIX[] = ".tmp";

/* ---- Names ----------------------------------------------------------------------------------- */

/* A name that cannot be guessed and is not used twice. */
static bool make_name(char name[PCI_TEMPORARY_NAME_BYTES])
{
    uint64_t number;
    if (getentropy(&number, sizeof number) != 0)
        return false;
    snprintf(name, PCI_TEMPORARY_NAME_BYTES, "%s%016" PRIx64 "%s", PREFIX, number, SUFFIX);
    return true;
}

static bool is_temporary(const char *name)
{
    size_t length = strlen(name), prefix = sizeof PREFIX - 1, suffix = sizeof SUFFIX - 1;
    return length == prefix + 16 + suffix && strncmp(name, PREFIX, prefix) == 0 &&
           strspn(name + prefix, "0123456789abcdef") == 16 &&
           strcmp(name + prefix + 16, SUFFIX) == 0;
}

/* ---- Files with a name
 * ------------------------------------------------------------------------ */

/* A descriptor, or -1 with errno. */
static int create_named(int folder, mode_t mode, char name[PCI_TEMPORARY_NAME_BYTES])
{
    int file = -1;
    errno = EEXIST;
    for (int tries = 0; tries < MAX_TRIES && file < 0 && errno == EEXIST; tries++)
        if (make_name(name))
            file = openat(folder, name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    return file;
}

/* Finds the default permissions from an empty file that is never written to. Reading umask would
 * change it for all threads for a moment. The temporary file itself must never be open to
 * others. */
static bool find_default_mode(int folder, mode_t *mode)
{
    char name[PCI_TEMPORARY_NAME_BYTES];
    struct stat info;
    int file = create_named(folder, 0666, name);
    if (file < 0)
        return false;
    bool is_found = fstat(file, &info) == 0;
    *mode = info.st_mode & PERMISSIONS;
    unlinkat(folder, name, 0);
    close(file);
    return is_found;
}

/* False when another process removed the file before it was locked. Without locks (some network
 * file systems have none) no other process gets one either. */
static bool lock(int file)
{
    struct stat info;
    if (flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return false;
    return fstat(file, &info) == 0 && info.st_nlink > 0;
}

static bool open_named(int folder, pci_temporary *made)
{
    if (!find_default_mode(folder, &made->default_mode))
        return false;
    for (int tries = 0; tries < MAX_TRIES; tries++) {
        made->file = create_named(folder, 0600, made->name);
        if (made->file < 0 || lock(made->file))
            return made->file >= 0;
        pci_temporary_free(folder, made);
    }
    errno = EEXIST;
    return false;
}

/* ---- Files without a name
 * --------------------------------------------------------------------- */

/* A link by which a descriptor can be given a name without a privilege. */
static void link_of(int file, char link[LINK_BYTES])
{
    snprintf(link, LINK_BYTES, "/proc/self/fd/%d", file);
}

/* False when the file system has no such files or /proc is missing. */
static bool open_unnamed(int folder, pci_temporary *made)
{
    char link[LINK_BYTES];
    struct stat info;
    made->file = openat(folder, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
    if (made->file < 0)
        return false;
    link_of(made->file, link);
    if (access(link, F_OK) == 0 && fstat(made->file, &info) == 0 && fchmod(made->file, 0600) == 0) {
        flock(made->file, LOCK_EX | LOCK_NB); /* nobody else knows it yet */
        made->default_mode = info.st_mode & PERMISSIONS;
        return true;
    }
    pci_temporary_free(folder, made);
    return false;
}

static bool give_name(int folder, pci_temporary *temporary)
{
    char link[LINK_BYTES];
    bool has_name = false;
    link_of(temporary->file, link);
    errno = EEXIST;
    for (int tries = 0; tries < MAX_TRIES && !has_name && errno == EEXIST; tries++)
        has_name = make_name(temporary->name) &&
                   linkat(AT_FDCWD, link, folder, temporary->name, AT_SYMLINK_FOLLOW) == 0;
    if (!has_name)
        temporary->name[0] = '\0';
    return has_name;
}

/* ---- Either kind
 * ------------------------------------------------------------------------------ */

bool pci_temporary_create(int folder, pci_temporary *temporary)
{
    pci_temporary made = {.file = -1};
    bool is_made = open_unnamed(folder, &made) || open_named(folder, &made);
    if (is_made)
        *temporary = made;
    return is_made;
}

/* A file without a name gets one first, since linkat replaces no file. */
bool pci_temporary_rename(int folder, pci_temporary *temporary, const char *target)
{
    if (temporary->name[0] == '\0' && !give_name(folder, temporary))
        return false;
    if (renameat(folder, temporary->name, folder, target) != 0)
        return false;
    temporary->name[0] = '\0';
    return true;
}

void pci_temporary_free(int folder, pci_temporary *temporary)
{
    if (temporary->name[0] != '\0')
        unlinkat(folder, temporary->name, 0);
    if (temporary->file >= 0)
        close(temporary->file);
    temporary->name[0] = '\0';
    temporary->file = -1;
}

/* ---- What dead writers left
 * ------------------------------------------------------------------- */

/* Removes a temporary file whose writer has ended. The lock is released after the file is removed.
 * So a writer that was about to lock the file notices that it has lost it. */
static void remove_if_dead(int folder, const char *name)
{
    struct stat info;
    int file = openat(folder, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (file < 0)
        return;
    if (fstat(file, &info) == 0 && S_ISREG(info.st_mode) && info.st_uid == geteuid() &&
        flock(file, LOCK_EX | LOCK_NB) == 0)
        unlinkat(folder, name, 0);
    close(file);
}

void pci_temporaries_clean(int folder)
{
    int file = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *listing = file >= 0 ? fdopendir(file) : NULL;
    if (!listing) {
        if (file >= 0)
            close(file);
        return;
    }
    for (const struct dirent *entry; (entry = readdir(listing));)
        if (is_temporary(entry->d_name))
            remove_if_dead(folder, entry->d_name);
    closedir(listing);
}
