/* Resolves a path part by part. Each folder is opened relative to the folder before it, and each
 * link is read through its own descriptor. So no part can be exchanged between its check and its
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

typedef struct resolution {
    int folder;              /* -1: not open */
    char name[NAME_MAX + 1]; /* the part that comes next */
    char rest[PATH_MAX];     /* what follows it: "" or more parts, with a slash before each */
    int n_links;
} resolution;

/* Replaces the folder. Returns 0 or errno, as all functions below. */
static int enter(resolution *r, int folder)
{
    if (folder < 0)
        return errno;
    if (r->folder >= 0)
        close(r->folder);
    r->folder = folder;
    return 0;
}

/* Puts a path before the rest: the parts of it come next. */
static int take_path(resolution *r, const char *path)
{
    char all[2 * PATH_MAX];
    int length = snprintf(all, sizeof all, "%s%s", path, r->rest);
    if (length >= PATH_MAX)
        return ENAMETOOLONG;
    memcpy(r->rest, all, (size_t)length + 1);
    if (r->folder >= 0 && path[0] != '/')
        return 0;
    return enter(r, open(path[0] == '/' ? "/" : ".", O_PATH | O_DIRECTORY | O_CLOEXEC));
}

/* A path that ends in a slash has "." for its last name. */
static int take_name(resolution *r)
{
    const char *begin = r->rest + strspn(r->rest, "/");
    size_t length = strcspn(begin, "/");
    if (length > NAME_MAX)
        return ENAMETOOLONG;
    memcpy(r->name, begin, length);
    r->name[length] = '\0';
    memmove(r->rest, begin + length, strlen(begin + length) + 1);
    if (length == 0)
        strcpy(r->name, ".");
    return 0;
}

static bool may_follow(const struct stat *link, const struct stat *folder)
{
    bool is_shared = (folder->st_mode & (S_ISVTX | S_IWOTH)) == (S_ISVTX | S_IWOTH);
    return !is_shared || link->st_uid == geteuid() || link->st_uid == folder->st_uid;
}

/* The target of the link that is open; "" when it is no link. */
static int read_link(const resolution *r, int link, char target[PATH_MAX])
{
    struct stat about, folder;
    target[0] = '\0';
    if (fstat(link, &about) != 0 || fstat(r->folder, &folder) != 0)
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
static int follow_link(resolution *r, bool *is_link)
{
    char target[PATH_MAX];
    *is_link = false;
    int link = openat(r->folder, r->name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    if (link < 0)
        return errno;
    int error = read_link(r, link, target);
    close(link);
    *is_link = error == 0 && target[0] != '\0';
    if (!*is_link)
        return error;
    return r->n_links++ < MOST_LINKS ? take_path(r, target) : ELOOP;
}

/* Opens the name as a folder, or follows it when it is a link. It is opened with O_DIRECTORY first,
 * since without that flag the automounter does not mount a folder. */
static int enter_folder(resolution *r)
{
    bool is_link;
    int next = openat(r->folder, r->name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (next >= 0 || (errno != ENOTDIR && errno != ELOOP))
        return enter(r, next);
    int error = follow_link(r, &is_link);
    return error == 0 && !is_link ? ENOTDIR : error;
}

/* Resolves until the name is the last one and no link. */
static int resolve_all(resolution *r)
{
    for (;;) {
        bool is_link = true;
        int error = take_name(r);
        if (error == 0 && r->rest[0] != '\0')
            error = enter_folder(r);
        else if (error == 0)
            error = follow_link(r, &is_link);
        if (error == ENOENT && r->rest[0] == '\0' && !is_link)
            return 0; /* there is no such file yet */
        if (error != 0 || !is_link)
            return error;
    }
}

pc_status pci_path_resolve(pc_context *context, const char *path, pci_place *place)
{
    char reason[128];
    resolution r = {.folder = -1};
    int error = path[0] != '\0' ? take_path(&r, path) : ENOENT;
    if (error == 0)
        error = resolve_all(&r);
    if (error == 0) {
        place->folder = r.folder;
        memcpy(place->name, r.name, sizeof place->name);
        return PC_OK;
    }
    if (r.folder >= 0)
        close(r.folder);
    if (error == FOREIGN_LINK)
        return pci_fail(context, PC_ERR_CREATE,
                        "cannot create '%s': '%s' is a link of another user in a folder that "
                        "everybody may write to; remove it, or write to another folder",
                        path, r.name);
    return pci_fail(context, PC_ERR_CREATE, "cannot create '%s': %s%s", path,
                    strerror_r(error, reason, sizeof reason),
                    error == ENOENT ? ": make its folder first" : "");
}
