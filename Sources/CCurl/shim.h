#ifndef TERN_CCURL_SHIM_H
#define TERN_CCURL_SHIM_H

#include <curl/curl.h>
#include <dlfcn.h>

/* The oldest libcurl that has every option used here: the headers are held against it, and the library when it is
   loaded. */
#if LIBCURL_VERSION_NUM >= 0x075500
#define TERN_CURL_MINIMUM_VERSION 0x075500
#else
#define TERN_CURL_MINIMUM_VERSION 0x075000
#endif

#if LIBCURL_VERSION_NUM < TERN_CURL_MINIMUM_VERSION
#error "Tern needs the headers of libcurl 7.80 or later"
#endif

/* Every function of libcurl that is used, without its prefix. Only their types come from the headers: the library is
   loaded when the first request is sent, and nothing is linked to it. */
#define TERN_CURL_FUNCTIONS(each) \
    each(global_init) \
    each(version_info) \
    each(easy_init) \
    each(easy_reset) \
    each(easy_cleanup) \
    each(easy_setopt) \
    each(easy_getinfo) \
    each(easy_strerror) \
    each(multi_init) \
    each(multi_cleanup) \
    each(multi_setopt) \
    each(multi_add_handle) \
    each(multi_remove_handle) \
    each(multi_perform) \
    each(multi_poll) \
    each(multi_wakeup) \
    each(multi_info_read) \
    each(slist_append) \
    each(slist_free_all)

/* The functions change nothing in this table, so that every thread may read it. */
struct __attribute__((swift_name("CurlFunctions"), swift_attr("@Sendable"))) tern_curl {
#define TERN_CURL_MEMBER(name) __typeof__(curl_##name) *_Nonnull name;
    TERN_CURL_FUNCTIONS(TERN_CURL_MEMBER)
#undef TERN_CURL_MEMBER
};

/* Looks every function up. The table is complete only when `missing` was left alone; it names the first one that the
   library does not have. */
static inline struct tern_curl tern_curl_resolve(void *_Nonnull library, const char *_Nullable *_Nonnull missing) {
    struct tern_curl curl = { 0 };
#define TERN_CURL_RESOLVE(name) \
    *(void **)&curl.name = dlsym(library, "curl_" #name); \
    if (!*(void **)&curl.name && !*missing) *missing = "curl_" #name;
    TERN_CURL_FUNCTIONS(TERN_CURL_RESOLVE)
#undef TERN_CURL_RESOLVE
    return curl;
}

/* libcurl's option functions are variadic, which Swift cannot call: one function for each type of argument. */

__attribute__((swift_name("CurlFunctions.set(self:_:_:long:)")))
static inline CURLcode tern_curl_set_long(struct tern_curl curl, CURL *handle, CURLoption option, long value) {
    return curl.easy_setopt(handle, option, value);
}

__attribute__((swift_name("CurlFunctions.set(self:_:_:size:)")))
static inline CURLcode tern_curl_set_size(struct tern_curl curl, CURL *handle, CURLoption option, curl_off_t value) {
    return curl.easy_setopt(handle, option, value);
}

__attribute__((swift_name("CurlFunctions.set(self:_:_:pointer:)")))
static inline CURLcode tern_curl_set_pointer(struct tern_curl curl, CURL *handle, CURLoption option, void *value) {
    return curl.easy_setopt(handle, option, value);
}

__attribute__((swift_name("CurlFunctions.set(self:_:_:string:)")))
static inline CURLcode tern_curl_set_string(
    struct tern_curl curl, CURL *handle, CURLoption option, const char *value
) {
    return curl.easy_setopt(handle, option, value);
}

/* The bytes are copied. */
__attribute__((swift_name("CurlFunctions.set(self:_:_:blob:count:)")))
static inline CURLcode tern_curl_set_blob(
    struct tern_curl curl, CURL *handle, CURLoption option, const void *bytes, size_t count
) {
    struct curl_blob blob = { (void *)bytes, count, CURL_BLOB_COPY };
    return curl.easy_setopt(handle, option, &blob);
}

typedef size_t (*tern_curl_data_callback)(char *bytes, size_t size, size_t count, void *context);

__attribute__((swift_name("CurlFunctions.set(self:_:_:dataCallback:)")))
static inline CURLcode tern_curl_set_data_callback(
    struct tern_curl curl, CURL *handle, CURLoption option, tern_curl_data_callback callback
) {
    return curl.easy_setopt(handle, option, callback);
}

__attribute__((swift_name("CurlFunctions.set(self:_:requestCallback:)")))
static inline CURLcode tern_curl_set_request_callback(
    struct tern_curl curl, CURL *handle, curl_prereq_callback callback
) {
    return curl.easy_setopt(handle, CURLOPT_PREREQFUNCTION, callback);
}

/* Nothing but http and https; the option's numeric form is deprecated where the one with names exists. */
__attribute__((swift_name("CurlFunctions.allowHTTPOnly(self:_:)")))
static inline CURLcode tern_curl_allow_http_only(struct tern_curl curl, CURL *handle) {
#if LIBCURL_VERSION_NUM >= 0x075500
    return curl.easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
#else
    return curl.easy_setopt(handle, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}

__attribute__((swift_name("CurlFunctions.get(self:_:_:long:)")))
static inline CURLcode tern_curl_get_long(struct tern_curl curl, CURL *handle, CURLINFO info, long *value) {
    return curl.easy_getinfo(handle, info, value);
}

__attribute__((swift_name("CurlFunctions.get(self:_:_:pointer:)")))
static inline CURLcode tern_curl_get_pointer(struct tern_curl curl, CURL *handle, CURLINFO info, void **value) {
    return curl.easy_getinfo(handle, info, (char **)value);
}

__attribute__((swift_name("CurlFunctions.setMulti(self:_:_:long:)")))
static inline CURLMcode tern_curl_multi_set_long(
    struct tern_curl curl, CURLM *handle, CURLMoption option, long value
) {
    return curl.multi_setopt(handle, option, value);
}

/* The result stands in an anonymous union, which Swift does not see. */
static inline CURLcode tern_curl_message_result(const CURLMsg *message) {
    return message->data.result;
}

#endif
