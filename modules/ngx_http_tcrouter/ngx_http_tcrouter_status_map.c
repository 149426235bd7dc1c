/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The cache groups where they are, as SVG in degrees.  The map shows the
 * part of the world that has groups.
 */

#include <inttypes.h>
#include <math.h>

#include "ngx_http_tcrouter_status.h"

#define MARGIN      8             /* degrees around the outermost groups     */
#define LEAST       40            /* degrees of longitude at least           */
#define MANY        60            /* groups that still have their names      */


typedef struct {
    double  west;
    double  east;
    double  south;
    double  north;
    double  unit;                 /* about a pixel on a page of usual width  */
} frame_t;


static double
within(double v, double low, double high)
{
    return v < low ? low : v > high ? high : v;
}


/* Widens a range to at least `least` around its middle, inside its limits. */

static void
widen(double *low, double *high, double least, double limit)
{
    double  middle = (*low + *high) / 2;

    if (*high - *low < least) {
        middle = within(middle, least / 2 - limit, limit - least / 2);
        *low = middle - least / 2;
        *high = middle + least / 2;
    }
}


static void
find_frame(status_t *s, frame_t *f)
{
    uint32_t                i;
    const tcr_img_group_t  *g;

    g = tcr_image_vec(s->image, &s->root->groups);
    *f = (frame_t) { 180, -180, 90, -90, 0 };

    for (i = 0; i < s->root->n_groups; i++) {
        f->west = fmin(f->west, g[i].lon - MARGIN);
        f->east = fmax(f->east, g[i].lon + MARGIN);
        f->south = fmin(f->south, g[i].lat - MARGIN);
        f->north = fmax(f->north, g[i].lat + MARGIN);
    }

    f->west = within(f->west, -180, 180);
    f->east = within(f->east, f->west, 180);
    f->south = within(f->south, -90, 90);
    f->north = within(f->north, f->south, 90);

    /* neither a strip nor a tower */
    widen(&f->west, &f->east, LEAST, 180);
    widen(&f->west, &f->east, fmin(1.5 * (f->north - f->south), 360), 180);
    widen(&f->south, &f->north, (f->east - f->west) / 2.4, 90);
    f->unit = (f->east - f->west) / 1080;
}


static const char *
colour(uint32_t up, uint32_t n)
{
    return n == 0 ? "none" : up == n ? "up" : up == 0 ? "down" : "part";
}


/* A line lower for each group before it that has its name there already. */

static double
lower(status_t *s, const tcr_img_group_t *g, double unit)
{
    double                  down = 0;
    const tcr_img_group_t  *other;

    other = tcr_image_vec(s->image, &s->root->groups);

    for ( /* void */ ; other < g; other++) {
        if (fabs(other->lon - g->lon) < 70 * unit
            && fabs(other->lat - g->lat) < 12 * unit)
        {
            down += 14 * unit;
        }
    }

    return down;
}


/* Right of the dot, or left of it where the map ends. */

static void
put_name(status_t *s, const frame_t *f, const tcr_img_group_t *g, double r)
{
    double      x, unit = f->unit;
    ngx_uint_t  left;

    left = g->lon > f->east - 110 * unit;
    x = left ? g->lon - r - 3 * unit : g->lon + r + 3 * unit;

    tcr_buf_printf(s->out, "<text x=\"%.2f\" y=\"%.2f\" font-size=\"%.2f\"%s>",
                   x, -g->lat + 4 * unit + lower(s, g, unit), 12 * unit,
                   left ? " text-anchor=end" : "");
    ngx_http_tcrouter_status_text(s, ngx_http_tcrouter_page_str(s, g->id));
    ngx_http_tcrouter_status_html(s, "</text>");
}


static void
put_group(status_t *s, const frame_t *f, const tcr_img_group_t *g)
{
    double    r;
    uint32_t  up = ngx_http_tcrouter_status_up(s, g);

    r = f->unit * (5 + fmin(sqrt((double) g->n_caches), 12));

    tcr_buf_printf(s->out, "<circle class=\"dot %s\" cx=\"%.3f\" cy=\"%.3f\" "
                   "r=\"%.3f\"><title>", colour(up, g->n_caches), g->lon,
                   -g->lat, r);
    ngx_http_tcrouter_status_text(s, ngx_http_tcrouter_page_str(s, g->id));
    tcr_buf_printf(s->out, ": %" PRIu32 " of %" PRIu32 " caches up</title>"
                   "</circle>", up, g->n_caches);

    if (s->root->n_groups <= MANY) {
        put_name(s, f, g, r);
    }
}


static void
put_grid(status_t *s)
{
    int  d;

    ngx_http_tcrouter_status_html(s, "<path class=grid d=\"");

    for (d = -180; d <= 180; d += 15) {
        tcr_buf_printf(s->out, "M%d -90V90", d);
    }

    for (d = -90; d <= 90; d += 15) {
        tcr_buf_printf(s->out, "M-180 %dH180", d);
    }

    ngx_http_tcrouter_status_html(s, "\"/>");
}


void
ngx_http_tcrouter_status_map(status_t *s)
{
    frame_t                 f;
    uint32_t                i;
    const tcr_img_group_t  *g;

    if (s->root->n_groups == 0) {
        return;
    }

    find_frame(s, &f);
    g = tcr_image_vec(s->image, &s->root->groups);

    ngx_http_tcrouter_status_html(s, "<section><h2>Cache groups</h2>");
    tcr_buf_printf(s->out, "<svg role=img aria-label=\"Cache groups on a map\" "
                   "viewBox=\"%.2f %.2f %.2f %.2f\">", f.west, -f.north,
                   f.east - f.west, f.north - f.south);
    ngx_http_tcrouter_status_html(s, "<path class=land d=\"");
    ngx_http_tcrouter_status_html(s, ngx_http_tcrouter_status_land);
    ngx_http_tcrouter_status_html(s, "\"/>");
    put_grid(s);

    for (i = 0; i < s->root->n_groups; i++) {
        put_group(s, &f, &g[i]);
    }

    ngx_http_tcrouter_status_html(s, "</svg><div class=legend>"
        "<span><i class=up></i>all caches up</span>"
        "<span><i class=part></i>some down</span>"
        "<span><i class=down></i>all down</span>"
        "<span><i class=none></i>no caches</span></div></section>");
}
