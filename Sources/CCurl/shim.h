#ifndef TERN_CCURL_SHIM_H
#define TERN_CCURL_SHIM_H

#include <curl/curl.h>

#if LIBCURL_VERSION_NUM < 0x075000
#error "Tern needs libcurl 7.80 or later"
#endif

/* libcurl's option functions are variadic, which Swift cannot call: one function for each type of argument. */

static inline CURLcode tern_curl_set_long(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode tern_curl_set_size(CURL *handle, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode tern_curl_set_pointer(CURL *handle, CURLoption option, void *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode tern_curl_set_string(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}

/* The bytes are copied. */
static inline CURLcode tern_curl_set_blob(CURL *handle, CURLoption option, const void *bytes, size_t count) {
    struct curl_blob blob = { (void *)bytes, count, CURL_BLOB_COPY };
    return curl_easy_setopt(handle, option, &blob);
}

typedef size_t (*tern_curl_data_callback)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode tern_curl_set_data_callback(CURL *handle, CURLoption option, tern_curl_data_callback callback) {
    return curl_easy_setopt(handle, option, callback);
}

static inline CURLcode tern_curl_set_request_callback(CURL *handle, curl_prereq_callback callback) {
    return curl_easy_setopt(handle, CURLOPT_PREREQFUNCTION, callback);
}

/* Nothing but http and https; the option's numeric form is deprecated where the one with names exists. */
static inline CURLcode tern_curl_allow_http_only(CURL *handle) {
#if LIBCURL_VERSION_NUM >= 0x075500
    return curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
#else
    return curl_easy_setopt(handle, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}

static inline CURLcode tern_curl_get_long(CURL *handle, CURLINFO info, long *value) {
    return curl_easy_getinfo(handle, info, value);
}

static inline CURLcode tern_curl_get_pointer(CURL *handle, CURLINFO info, void **value) {
    return curl_easy_getinfo(handle, info, (char **)value);
}

static inline CURLMcode tern_curl_multi_set_long(CURLM *handle, CURLMoption option, long value) {
    return curl_multi_setopt(handle, option, value);
}

/* The result stands in an anonymous union, which Swift does not see. */
static inline CURLcode tern_curl_message_result(const CURLMsg *message) {
    return message->data.result;
}

#endif
