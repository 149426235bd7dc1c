/* SPDX-License-Identifier: Apache-2.0 */

/* One table for the words of the log, the API and the metrics. */

#include "tcr_result.h"


static const tcr_str_t  results[TCR_RESULT_COUNT] = {
    [TCR_RESULT_NONE] = TCR_STR("-"),
    [TCR_RESULT_ERROR] = TCR_STR("ERROR"),
    [TCR_RESULT_CZ] = TCR_STR("CZ"),
    [TCR_RESULT_DEEP_CZ] = TCR_STR("DEEP_CZ"),
    [TCR_RESULT_GEO] = TCR_STR("GEO"),
    [TCR_RESULT_GEO_DS] = TCR_STR("GEO_DS"),
    [TCR_RESULT_GEO_REDIRECT] = TCR_STR("GEO_REDIRECT"),
    [TCR_RESULT_MISS] = TCR_STR("MISS"),
    [TCR_RESULT_DS_REDIRECT] = TCR_STR("DS_REDIRECT"),
    [TCR_RESULT_DS_MISS] = TCR_STR("DS_MISS"),
    [TCR_RESULT_FED] = TCR_STR("FED"),
    [TCR_RESULT_RGALT] = TCR_STR("RGALT"),
    [TCR_RESULT_RGDENY] = TCR_STR("RGDENY"),
    [TCR_RESULT_ANON_BLOCK] = TCR_STR("ANON_BLOCK"),
};


static const struct {
    tcr_str_t    name;
    const char  *sentence;
} details_table[TCR_DETAILS_COUNT] = {
    [TCR_DETAILS_NONE] = { TCR_STR("-"), "nothing to add" },
    [TCR_DETAILS_DS_NOT_FOUND] = { TCR_STR("DS_NOT_FOUND"),
        "no delivery service matches the request" },
    [TCR_DETAILS_DS_TLS_MISMATCH] = { TCR_STR("DS_TLS_MISMATCH"),
        "the delivery service does not serve this scheme" },
    [TCR_DETAILS_DS_NO_BYPASS] = { TCR_STR("DS_NO_BYPASS"),
        "no cache can serve and no bypass destination is configured" },
    [TCR_DETAILS_DS_BYPASS] = { TCR_STR("DS_BYPASS"),
        "no cache can serve, the bypass destination is answered" },
    [TCR_DETAILS_DS_CZ_ONLY] = { TCR_STR("DS_CZ_ONLY"),
        "the delivery service serves coverage zones only and the client is in "
        "none with caches" },
    [TCR_DETAILS_DS_CLIENT_GEO_UNSUPPORTED] = {
        TCR_STR("DS_CLIENT_GEO_UNSUPPORTED"),
        "the client cannot be located or its place is not allowed" },
    [TCR_DETAILS_GEO_NO_CACHE_FOUND] = { TCR_STR("GEO_NO_CACHE_FOUND"),
        "the client was located but no cache group has a cache for it" },
    [TCR_DETAILS_DS_CZ_BACKUP_CG] = { TCR_STR("DS_CZ_BACKUP_CG"),
        "a backup or the closest cache group stands in for the client's own" },
    [TCR_DETAILS_REGIONAL_GEO_NO_RULE] = { TCR_STR("REGIONAL_GEO_NO_RULE"),
        "no regional rule allows the request" },
    [TCR_DETAILS_REGIONAL_GEO_ALTERNATE_WITHOUT_CACHE] = {
        TCR_STR("REGIONAL_GEO_ALTERNATE_WITHOUT_CACHE"),
        "the regional rule sends the client to another URL" },
    [TCR_DETAILS_REGIONAL_GEO_ALTERNATE_WITH_CACHE] = {
        TCR_STR("REGIONAL_GEO_ALTERNATE_WITH_CACHE"),
        "the regional rule sends the client to another path on its cache" },
    [TCR_DETAILS_LOCALIZED_DNS] = { TCR_STR("LOCALIZED_DNS"),
        "the name is not the routing name of a DNS delivery service" },
};


tcr_str_t
tcr_result_name(tcr_result_e result)
{
    return results[result < TCR_RESULT_COUNT ? result : TCR_RESULT_NONE];
}


tcr_str_t
tcr_details_name(tcr_details_e details)
{
    return details_table[details < TCR_DETAILS_COUNT ? details
                                                     : TCR_DETAILS_NONE].name;
}


const char *
tcr_details_sentence(tcr_details_e details)
{
    return details_table[details < TCR_DETAILS_COUNT
                         ? details : TCR_DETAILS_NONE].sentence;
}
