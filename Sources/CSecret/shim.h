#ifndef TERN_CSECRET_SHIM_H
#define TERN_CSECRET_SHIM_H

#include <libsecret/secret.h>

#define TERN_SECRET_APPLICATION "application"
#define TERN_SECRET_ACCOUNT "account"

/* What marks our items among those of others. */
static inline const SecretSchema *_Nonnull tern_secret_schema(void) {
    static const SecretSchema schema = {
        "tern.Credential", SECRET_SCHEMA_NONE,
        {
            { TERN_SECRET_APPLICATION, SECRET_SCHEMA_ATTRIBUTE_STRING },
            { TERN_SECRET_ACCOUNT, SECRET_SCHEMA_ATTRIBUTE_STRING },
            { NULL, 0 },
        },
    };
    return &schema;
}

/* What secret_service_open_sync does, over a connection of one's own. The variadic function is not for Swift. */
static inline SecretService *_Nullable tern_secret_open(
    GDBusConnection *_Nonnull bus, GCancellable *_Nullable cancellable, GError *_Nullable *_Nullable error
) {
    return (SecretService *)g_initable_new(
        SECRET_TYPE_SERVICE, cancellable, error, "g-connection", bus, "g-name", "org.freedesktop.secrets",
        "g-object-path", "/org/freedesktop/secrets", "g-interface-name", "org.freedesktop.Secret.Service", "flags",
        SECRET_SERVICE_OPEN_SESSION, NULL);
}

#endif
