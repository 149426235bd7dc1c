/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Values that are numbers, with and without units.
 */

#include "tcr_schema_value.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "tcr_json.h"


typedef struct {
    const char  *name;
    int64_t      factor;
} unit_t;

static const unit_t  durations[] = {
    { "ms", 1 }, { "s", 1000 }, { "m", 60000 }, { "h", 3600000 },
    { "d", 86400000 }, { "", 1000 }, { NULL, 0 }
};

static const unit_t  sizes[] = {
    { "k", 1024 }, { "m", 1024 * 1024 }, { "g", 1024 * 1024 * 1024 },
    { "", 1 }, { NULL, 0 }
};

static const unit_t  percents[] = { { "%", 1 }, { "", 1 }, { NULL, 0 } };
static const unit_t  no_units[] = { { "", 1 }, { NULL, 0 } };


/* A number as its key would be written, for messages. */
static void
show(tcr_kind_e kind, int64_t n, char *text, size_t size)
{
    size_t         i;
    const unit_t  *units = kind == TCR_KIND_DURATION ? durations
                           : kind == TCR_KIND_SIZE ? sizes
                           : kind == TCR_KIND_PERCENT ? percents : no_units;
    const unit_t  *best = &units[0];

    for (i = 0; units[i].name != NULL; i++) {

        if (units[i].name[0] != '\0' && n % units[i].factor == 0 && n != 0
            && units[i].factor >= best->factor)
        {
            best = &units[i];
        }
    }

    if (n % best->factor != 0) {
        best = no_units;
    }

    snprintf(text, size, "%" PRId64 "%s", n / best->factor, best->name);
}


static void
out_of_bounds(const tcr_value_t *v)
{
    char  min[32], max[32], expected[80];

    show(v->key->kind, v->key->min, min, sizeof(min));
    show(v->key->kind, v->key->max, max, sizeof(max));
    snprintf(expected, sizeof(expected), "%s to %s", min, max);
    tcr_value_wrong(v, expected);
}


static void
read_number(tcr_value_t *v, const unit_t *units, const char *expected)
{
    size_t     digits = 0;
    int64_t    n;
    uint64_t   number;
    tcr_str_t  unit;

    while (digits < v->text.len && v->text.data[digits] >= '0'
           && v->text.data[digits] <= '9')
    {
        digits++;
    }

    unit = tcr_str_n(v->text.data + digits, v->text.len - digits);

    while (units->name != NULL && !tcr_str_eq(unit, tcr_str(units->name))) {
        units++;
    }

    /* "010" is eight to some readers of YAML and ten to others */
    if (units->name == NULL || (digits > 1 && v->text.data[0] == '0')
        || tcr_parse_uint(tcr_str_n(v->text.data, digits), 0, INT64_MAX,
                          &number) != 0)
    {
        tcr_value_wrong(v, expected);
        return;
    }

    if (__builtin_mul_overflow((int64_t) number, units->factor, &n)
        || n < v->key->min || n > v->key->max)
    {
        out_of_bounds(v);
        return;
    }

    *(int64_t *) v->out = n;
}


void
tcr_value_int(tcr_value_t *v)
{
    read_number(v, no_units, "a whole number");
}


void
tcr_value_duration(tcr_value_t *v)
{
    read_number(v, durations, "a time such as 500ms, 10s, 5m, 3h or 2d");
}


void
tcr_value_size(tcr_value_t *v)
{
    read_number(v, sizes, "a size such as 64k, 512m or 2g");
}


void
tcr_value_percent(tcr_value_t *v)
{
    read_number(v, percents, "a percentage such as 50%");
}


/* Numbers are here what they are in a snapshot. */
void
tcr_value_real(tcr_value_t *v)
{
    char        expected[64];
    double      d;
    tcr_json_t  number;

    memset(&number, 0, sizeof(number));
    number.type = TCR_JSON_STRING;
    number.u.str = v->text;
    d = tcr_json_real(&number, NAN);

    if (!(d >= (double) v->key->min && d <= (double) v->key->max)) {
        snprintf(expected, sizeof(expected), "a number from %" PRId64 " to %"
                 PRId64, v->key->min, v->key->max);
        tcr_value_wrong(v, expected);
        return;
    }

    *(tcr_str_t *) v->out = tcr_value_copy(v, v->text);
}
