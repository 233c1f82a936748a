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

/* libsecret's service always takes the connection that the process shares. This kind of it takes the one that it is
   given: the parent's constructor has asked for the shared one, and while an object is constructed that can be undone. */
static inline GObject *tern_secret_construct(GType type, guint count, GObjectConstructParam *properties) {
    GObjectClass *parent = G_OBJECT_CLASS(g_type_class_peek(SECRET_TYPE_SERVICE));
    GObject *object = parent->constructor(type, count, properties);
    g_object_set(object, "g-bus-type", G_BUS_TYPE_NONE, NULL);
    return object;
}

static inline void tern_secret_class_init(gpointer class, gpointer data) {
    (void)data;
    G_OBJECT_CLASS(class)->constructor = tern_secret_construct;
}

static inline GType tern_secret_type(void) {
    static gsize type;
    if (g_once_init_enter(&type)) {
        gsize made = g_type_register_static_simple(
            SECRET_TYPE_SERVICE, "TernSecretService", sizeof(SecretServiceClass), tern_secret_class_init,
            sizeof(SecretService), NULL, 0);
        g_once_init_leave(&type, made);
    }
    return type;
}

/* What secret_service_open_sync does, over a connection of one's own. The constructor of libsecret (0.20 and newer) names bus,
   path and interface itself; naming them here too would lose the memory of the first names. The variadic function is not
   for Swift. */
static inline SecretService *_Nullable tern_secret_open(
    GDBusConnection *_Nonnull bus, GCancellable *_Nullable cancellable, GError *_Nullable *_Nullable error
) {
    return (SecretService *)g_initable_new(
        tern_secret_type(), cancellable, error, "g-connection", bus, "flags", SECRET_SERVICE_OPEN_SESSION, NULL);
}

#endif
