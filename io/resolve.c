/* Follows a path part by part. Each folder is opened relative to the folder before it, and each
 * link is read through its own descriptor. So nobody can exchange a part between its check and its
 * use. */
#define _GNU_SOURCE /* O_PATH */
#include "io/resolve.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_LINKS = 40, FOREIGN_LINK = -1 };

typedef struct walk {
    int folder;              /* -1: not open */
    char name[NAME_MAX + 1]; /* the part that comes next */
    char rest[PATH_MAX];     /* what follows it: "" or more parts, with a slash before each */
    int n_links;
} walk;

/* Takes the place of the folder. Returns 0 or errno, as all functions below. */
static int enter(walk *walk, int folder)
{
    if (folder < 0)
        return errno;
    if (walk->folder >= 0)
        close(walk->folder);
    walk->folder = folder;
    return 0;
}

/* Begins anew with a path, which the rest follows. */
static int take_path(walk *walk, const char *path)
{
    char all[2 * PATH_MAX];
    int length = snprintf(all, sizeof all, "%s%s", path, walk->rest);
    if (length >= PATH_MAX)
        return ENAMETOOLONG;
    memcpy(walk->rest, all, (size_t)length + 1);
    if (walk->folder >= 0 && path[0] != '/')
        return 0;
    return enter(walk, open(path[0] == '/' ? "/" : ".", O_PATH | O_DIRECTORY | O_CLOEXEC));
}

/* A path that ends in a slash has "." for its last name. */
static int take_name(walk *walk)
{
    const char *begin = walk->rest + strspn(walk->rest, "/");
    size_t length = strcspn(begin, "/");
    if (length > NAME_MAX)
        return ENAMETOOLONG;
    memcpy(walk->name, begin, length);
    walk->name[length] = '\0';
    memmove(walk->rest, begin + length, strlen(begin + length) + 1);
    if (length == 0)
        strcpy(walk->name, ".");
    return 0;
}

static bool may_follow(const struct stat *link, const struct stat *folder)
{
    bool is_shared = (folder->st_mode & (S_ISVTX | S_IWOTH)) == (S_ISVTX | S_IWOTH);
    return !is_shared || link->st_uid == geteuid() || link->st_uid == folder->st_uid;
}

/* The target of the link that is open; "" when it is no link. */
static int read_link(const walk *walk, int link, char target[PATH_MAX])
{
    struct stat about, folder;
    target[0] = '\0';
    if (fstat(link, &about) != 0 || fstat(walk->folder, &folder) != 0)
        return errno;
    if (!S_ISLNK(about.st_mode))
        return 0;
    if (!may_follow(&about, &folder))
        return FOREIGN_LINK;
    ssize_t length = readlinkat(link, "", target, PATH_MAX);
    if (length < 0)
        return errno;
    if (length == PATH_MAX)
        return ENAMETOOLONG;
    target[length] = '\0';
    return 0;
}

/* Follows the name when it is a link. */
static int follow_link(walk *walk, bool *is_link)
{
    char target[PATH_MAX];
    *is_link = false;
    int link = openat(walk->folder, walk->name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    if (link < 0)
        return errno;
    int error = read_link(walk, link, target);
    close(link);
    *is_link = error == 0 && target[0] != '\0';
    if (!*is_link)
        return error;
    return walk->n_links++ < MOST_LINKS ? take_path(walk, target) : ELOOP;
}

/* A link has to be told from a folder by O_DIRECTORY: what is opened without is not mounted when it
 * is a place of the automounter. */
static int pass_folder(walk *walk)
{
    bool is_link;
    int next = openat(walk->folder, walk->name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (next >= 0 || (errno != ENOTDIR && errno != ELOOP))
        return enter(walk, next);
    int error = follow_link(walk, &is_link);
    return error == 0 && !is_link ? ENOTDIR : error;
}

/* Until the name is the last one and no link. */
static int walk_on(walk *walk)
{
    for (;;) {
        bool is_link = true;
        int error = take_name(walk);
        if (error == 0 && walk->rest[0] != '\0')
            error = pass_folder(walk);
        else if (error == 0)
            error = follow_link(walk, &is_link);
        if (error == ENOENT && walk->rest[0] == '\0' && !is_link)
            return 0; /* there is no such file yet */
        if (error != 0 || !is_link)
            return error;
    }
}

pc_status pci_path_resolve(pc_context *context, const char *path, pci_place *place)
{
    char reason[128];
    walk walk = {.folder = -1};
    int error = path[0] != '\0' ? take_path(&walk, path) : ENOENT;
    if (error == 0)
        error = walk_on(&walk);
    if (error == 0) {
        place->folder = walk.folder;
        memcpy(place->name, walk.name, sizeof place->name);
        return PC_OK;
    }
    if (walk.folder >= 0)
        close(walk.folder);
    if (error == FOREIGN_LINK)
        return pci_fail(context, PC_ERR_CREATE,
                        "cannot create '%s': '%s' is a link of another user in a folder that "
                        "everybody may write to; remove it, or write to another folder",
                        path, walk.name);
    return pci_fail(context, PC_ERR_CREATE, "cannot create '%s': %s", path,
                    strerror_r(error, reason, sizeof reason));
}
