extension Cause {
    static let store: [Cause] = [
        Cause(
            "store_locked", "the keychain or keyring is locked", ["store_unavailable"], 15, [.mentions(.locked): 60],
            todo: "try again when the device is unlocked; nothing was deleted",
            "work in the background needs an item that is readable after the first unlock"),
        Cause(
            "keychain_entitlement", "the program lacks the keychain entitlement", ["store_unavailable"], 5,
            [.mentions(.entitlement): 80],
            todo: "sign the program with an application identifier", "list the access group in keychain-access-groups"),
        Cause(
            "keyring_missing", "no keyring service runs here", ["store_unavailable"], 4,
            [.mentions(.missingService): 60],
            todo: "start one, such as gnome-keyring, in the user's session", "or use an encrypted file store"),
        Cause(
            "disk_full", "there is no space left", ["store_unavailable"], 4, [.mentions(.diskFull): 80],
            todo: "make space; the old record is still there"),
        Cause(
            "store_permission", "the folder or the database may not be read or written by this user",
            ["store_unavailable"], 10, [.mentions(.permission): 50],
            todo: "look at owner and mode of the folder: 0700 is right"),
        Cause(
            "store_busy", "another program holds the store", ["store_unavailable"], 16, [.mentions(.inUse): 70],
            todo: "try again", "look for a process that was stopped while it held the store"),
        Cause(
            "record_damaged", "the record was written by something else, or damaged", ["corrupted_record"], 40,
            todo: "sign in again, which overwrites it"),
        Cause(
            "record_of_newer_version", "a newer version of the library wrote the record", ["newer_record"], 40,
            todo: "use the version that wrote it; the record was left as it is"),
        Cause(
            "record_key_differs", "the key or the passphrase is another one, or none was given", ["unknown_record_key"],
            40,
            todo: "give the key that it was saved with; the record was left as it is"),
        Cause(
            "record_plain", "it was saved before encryption was set up, or somebody put it there",
            ["record_not_encrypted"], 40,
            todo:
                "where it is known to be genuine, allow plain records to be read; they are encrypted at the next save",
            "sign in again, which overwrites it"),
    ]

    static let oauth1: [Cause] = [
        Cause(
            "consumer_key_wrong", "the client's key is wrong, not registered or blocked",
            [.server("consumer_key_unknown"), .server("consumer_key_rejected"), .server("consumer_key_refused")], 40,
            todo: "compare with the client's registration"),
        Cause(
            "oauth1_secret_wrong", "the client's secret or key is wrong",
            [
                .server("signature_invalid", at: .temporaryCredentials),
                .server("invalid_signature", at: .temporaryCredentials),
                Symptom("http_status.silent", at: .temporaryCredentials),
            ], 45, todo: "compare with the client's registration"),
        Cause(
            "oauth1_base_string_differs",
            "a proxy changed the address on the way, or the service signs it in another way",
            [.server("signature_invalid"), .server("invalid_signature")], 30,
            todo:
                "compare the base string with the one that the service builds: `tern sign --base-string`, `tern explain`"
        ),
        Cause(
            "oauth1_method_unknown", "the service does not know this signature method",
            [.server("signature_method_rejected"), .server("unsupported_signature_method")], 40,
            todo: "choose another one"),
        Cause(
            "oauth1_clock", "the clock of this device is wrong",
            [.server("timestamp_refused"), .server("invalid_timestamp")], 45, todo: "set the clock"),
        Cause(
            "oauth1_sent_twice", "the request was sent twice, or somebody has recorded and repeated it",
            [.server("nonce_used"), .server("invalid_nonce")], 40,
            todo: "send it once; the library makes a new nonce for each"),
        Cause(
            "oauth1_access_ended", "the user or the service has taken the access back",
            [
                .server("token_rejected"), .server("token_revoked"), .server("token_expired"), .server("token_used"),
                .server("token_not_authorized"),
            ], 40, todo: "sign in again"),
        Cause(
            "oauth1_pin_wrong", "the PIN was mistyped or is too old",
            [.server("verifier_invalid"), .server("invalid_verifier")], 40, todo: "start a new sign-in"),
        Cause(
            "oauth1_version", "the service speaks OAuth 1.0 and not 1.0a, or leaves oauth_callback_confirmed out",
            ["callback_not_confirmed"], 40, todo: "for a service known to leave it out, set omitsCallbackConfirmation"),
    ]

    static let registration: [Cause] = [
        Cause(
            "registered_redirect_refused", "the server does not allow redirect URIs of this kind",
            [.server("invalid_redirect_uri", at: .registration)], 45, todo: "register another redirect URI"),
        Cause(
            "registered_value_refused", "a value is not allowed here, or two of them contradict each other",
            [.server("invalid_client_metadata")], 40, todo: "leave out what is not needed: the server then chooses"),
        Cause(
            "software_statement_distrusted", "the server does not trust who made the software statement",
            [.server("unapproved_software_statement")], 40, todo: "get one from a party that the server trusts"),
        Cause(
            "software_statement_bad", "the software statement is too old, was changed, or is for another server",
            [.server("invalid_software_statement")], 40, todo: "get a new one"),
        Cause(
            "registration_closed", "the server lets only those register who have a token for it",
            [
                .server("invalid_token", at: .registration), Symptom("http_status", at: .registration),
                .server("access_denied", at: .registration),
            ], 35, todo: "ask the server's operators for an initial access token, or to register the client"),
    ]
}
