/* A plain file that is read part by part, and may change meanwhile. */
#include "io/input.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

pc_status pci_input_fail_changed(const pci_input *input)
{
    return pci_fail(input->context, PC_ERR_DATA,
                    "%s: changed while it was read: run again when it is complete", input->name);
}

/* Renaming or removing the file changes neither its size nor the time of its last change. */
pc_status pci_input_check(const pci_input *input)
{
    struct stat now;
    if (input->file < 0 || input->unpacker)
        return PC_OK;
    if (fstat(input->file, &now) != 0)
        return pci_fail(input->context, PC_ERR_IO, "%s: cannot be read: %m", input->name);
    bool same = (uint64_t)now.st_size == input->n_all &&
                now.st_mtim.tv_sec == input->modified.tv_sec &&
                now.st_mtim.tv_nsec == input->modified.tv_nsec;
    return same ? PC_OK : pci_input_fail_changed(input);
}

pc_status pci_input_read(const pci_input *input, uint64_t offset, char *to, size_t n_bytes)
{
    while (n_bytes > 0) {
        ssize_t n_read = pread(input->file, to, n_bytes, (off_t)offset);
        if (n_read == 0)
            return PC_ERR_DATA;
        if (n_read < 0 && errno != EINTR)
            return PC_ERR_IO;
        if (n_read < 0)
            continue;
        offset += (uint64_t)n_read;
        to += n_read;
        n_bytes -= (size_t)n_read;
    }
    return PC_OK;
}
