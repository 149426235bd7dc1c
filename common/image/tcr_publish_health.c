/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The health image in force, mapped for changes in place.
 */

#include "tcr_publisher.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>


void
tcr_publisher_forget_health(tcr_publisher_t *pub)
{
    if (pub->health != NULL) {
        munmap(pub->health, pub->health_size);
        pub->health = NULL;
    }
}


static int
map_health(tcr_publisher_t *pub, uint64_t number, tcr_err_t *err)
{
    int           fd;
    void         *map;
    char          name[TCR_SLOT_FILE];
    tcr_err_t     why;
    struct stat   st;

    tcr_slot_file(TCR_SLOT_HEALTH, number, name);
    fd = openat(pub->dirfd, name, O_RDWR | O_NOFOLLOW | O_CLOEXEC);

    if (fd == -1 || fstat(fd, &st) != 0 || st.st_size == 0) {
        tcr_err_set(err, "cannot open \"%s\" for writing: %s", name,
                    fd == -1 ? strerror(errno) : "not an image");

        if (fd != -1) {
            close(fd);
        }

        return -1;
    }

    map = mmap(NULL, (size_t) st.st_size, PROT_READ | PROT_WRITE, MAP_SHARED,
               fd, 0);
    close(fd);

    if (map == MAP_FAILED) {
        return tcr_err_set(err, "cannot map \"%s\": %s", name,
                           strerror(errno));
    }

    if (tcr_image_verify(map, (size_t) st.st_size, TCR_SLOT_HEALTH, &why)
        != 0)
    {
        munmap(map, (size_t) st.st_size);
        return tcr_err_set(err, "\"%s\" %s", name, why.text);
    }

    pub->health = map;
    pub->health_size = (size_t) st.st_size;
    pub->health_number = number;
    return 0;
}


tcr_img_health_t *
tcr_publisher_health(tcr_publisher_t *pub, void **base, tcr_err_t *err)
{
    uint64_t         number;
    tcr_img_table_t  table;

    *base = NULL;

    if (pub->current.page == NULL) {
        tcr_err_set(err, "\"%s\" has been removed", pub->path);
        return NULL;
    }

    tcr_current_read(&pub->current, &table);
    number = table.slots[TCR_SLOT_HEALTH].number;

    if (number == 0) {
        tcr_err_set(err, "no health image is in force in \"%s\"", pub->path);
        return NULL;
    }

    if (pub->health == NULL || pub->health_number != number) {
        tcr_publisher_forget_health(pub);

        if (map_health(pub, number, err) != 0) {
            return NULL;
        }
    }

    *base = pub->health;
    return (void *) ((uint8_t *) pub->health + sizeof(tcr_img_header_t));
}
