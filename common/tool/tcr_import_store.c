/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The key store of the reference's API: PKCS #12 is read here, Java's own
 * formats are made PKCS #12 by keytool.  The password goes to it in its
 * environment, which only its user sees, never on its command line.
 */

#include "tcr_import_pem.h"

#include <errno.h>
#include <fcntl.h>
#include <openssl/pkcs12.h>
#include <openssl/rand.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tcr_file.h"

#define STORE_MAX  (16u * 1024 * 1024)
#define WORD_SIZE  33             /* 128 bits in hexadecimal                 */


/* First bytes of the formats that only Java reads. */
static const char  jks[] = "\xfe\xed\xfe\xed";
static const char  jceks[] = "\xce\xce\xce\xce";


typedef struct {
    const char  *path;
    const char  *password;
    char         dir[PATH_MAX];   /* of the converted store; 0700            */
    char         copy[PATH_MAX + 16];
    char         word[WORD_SIZE]; /* its password                            */
} store_t;


static int
refuse(tcr_import_t *im, const store_t *s, const char *why)
{
    tcr_report_add(im->report, TCR_REPORT_WARNING, "%s: %s", s->path, why);
    return -1;
}


/* --- keytool --- */

static int
run_keytool(const store_t *s)
{
    int    status;
    char   old[4096], new[WORD_SIZE + 16], path[PATH_MAX],
           home[PATH_MAX + 8];
    pid_t  pid;
    posix_spawn_file_actions_t  actions;

    char  *args[] = {
        "keytool", "-importkeystore", "-noprompt",
        "-srckeystore", (char *) s->path, "-srcstorepass:env", "TCR_OLD",
        "-destkeystore", (char *) s->copy, "-deststoretype", "PKCS12",
        "-deststorepass:env", "TCR_NEW", NULL
    };
    char  *env[] = { old, new, path, home, NULL };

    if (snprintf(old, sizeof(old), "TCR_OLD=%s", s->password)
        >= (int) sizeof(old))
    {
        return -1;
    }

    snprintf(new, sizeof(new), "TCR_NEW=%s", s->word);
    snprintf(path, sizeof(path), "PATH=%s",
             getenv("PATH") != NULL ? getenv("PATH") : "/usr/bin:/bin");
    snprintf(home, sizeof(home), "HOME=%s", s->dir);

    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDWR, 0);
    posix_spawn_file_actions_adddup2(&actions, 0, 1);
    posix_spawn_file_actions_adddup2(&actions, 0, 2);

    status = posix_spawnp(&pid, "keytool", &actions, NULL, args, env);
    explicit_bzero(old, sizeof(old));
    posix_spawn_file_actions_destroy(&actions);

    if (status != 0) {
        errno = status;
        return -1;
    }

    while (waitpid(pid, &status, 0) == -1) {

        if (errno != EINTR) {
            return -1;
        }
    }

    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}


static int
make_word(char word[WORD_SIZE])
{
    size_t         i;
    unsigned char  bytes[WORD_SIZE / 2];

    if (RAND_bytes(bytes, sizeof(bytes)) != 1) {
        return -1;
    }

    for (i = 0; i < sizeof(bytes); i++) {
        snprintf(word + 2 * i, 3, "%02x", bytes[i]);
    }

    return 0;
}


static int
convert(tcr_import_t *im, store_t *s)
{
    int          rc;
    const char  *tmp = getenv("TMPDIR");

    if (snprintf(s->dir, sizeof(s->dir), "%s/tcrouter-import-XXXXXX",
                 tmp != NULL && tmp[0] == '/' ? tmp : "/tmp")
        >= (int) sizeof(s->dir)
        || make_word(s->word) != 0 || mkdtemp(s->dir) == NULL)
    {
        s->dir[0] = '\0';
        return refuse(im, s, "cannot make a temporary directory");
    }

    snprintf(s->copy, sizeof(s->copy), "%s/store.p12", s->dir);
    rc = run_keytool(s);

    if (rc == -1) {
        return refuse(im, s, errno == ENOENT ? "is a Java key store and there "
                      "is no keytool: install a Java runtime, or convert it "
                      "to PKCS12 elsewhere" : "keytool cannot be run");
    }

    return rc == 0 ? 0 : refuse(im, s, "keytool cannot read it, is the "
                                "password right");
}


static void
forget(store_t *s)
{
    if (s->dir[0] != '\0') {
        unlink(s->copy);
        rmdir(s->dir);
    }

    explicit_bzero(s->word, sizeof(s->word));
}


/* --- PKCS #12 --- */

static int
read_store(tcr_import_t *im, const store_t *s, tcr_str_t text,
    const char *password)
{
    int                   rc = -1;
    X509                 *cert = NULL;
    PKCS12               *p12;
    EVP_PKEY             *key = NULL;
    STACK_OF(X509)       *chain = NULL;
    const unsigned char  *p = (const unsigned char *) text.data;

    p12 = d2i_PKCS12(NULL, &p, (long) text.len);

    if (p12 == NULL) {
        return refuse(im, s, "is no key store of a known format");
    }

    if (PKCS12_parse(p12, password, &key, &cert, &chain) != 1) {
        refuse(im, s, "cannot be opened, is the password right");

    } else if (key == NULL || cert == NULL) {
        refuse(im, s, "has no private key with a certificate");

    } else {
        rc = tcr_import_pem(im, key, cert, chain);
    }

    PKCS12_free(p12);
    EVP_PKEY_free(key);
    X509_free(cert);
    sk_X509_pop_free(chain, X509_free);
    return rc;
}


static int
read_converted(tcr_import_t *im, store_t *s)
{
    int         rc;
    tcr_err_t   err;
    tcr_file_t  file;

    if (convert(im, s) != 0) {
        return -1;
    }

    if (tcr_file_map(&file, s->copy, STORE_MAX, &err) != 0) {
        return refuse(im, s, err.text);
    }

    rc = read_store(im, s, file.text, s->word);
    tcr_file_unmap(&file);
    return rc;
}


static int
open_store(tcr_import_t *im, store_t *s)
{
    int         rc;
    tcr_err_t   err;
    tcr_file_t  file;

    if (tcr_file_map(&file, s->path, STORE_MAX, &err) != 0) {
        tcr_report_add(im->report, TCR_REPORT_WARNING, "%s", err.text);
        return -1;
    }

    rc = tcr_str_starts(file.text, TCR_STR(jks))
         || tcr_str_starts(file.text, TCR_STR(jceks))
         ? read_converted(im, s)
         : read_store(im, s, file.text, s->password);

    tcr_file_unmap(&file);
    return rc;
}


int
tcr_import_store(tcr_import_t *im)
{
    int                 rc;
    store_t             s;
    struct stat         st;
    tcr_import_value_t  location, password;

    location = tcr_import_take_https(im, "https.certificate.location",
                                     TCR_IMPORT_DEPLOY "/conf/keyStore.jks");
    password = tcr_import_take_https(im, "https.password", "changeit");

    memset(&s, 0, sizeof(s));
    s.path = tcr_import_path(im, im->store.data != NULL ? im->store
                             : location.value);
    s.password = im->store.data != NULL ? im->store_password.data
                 : password.value.data;

    if (location.file == NULL && im->store.data == NULL
        && stat(s.path, &st) != 0)
    {
        return -1;
    }

    rc = open_store(im, &s);
    forget(&s);
    return rc;
}
