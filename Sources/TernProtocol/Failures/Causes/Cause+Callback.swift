extension Cause {
    /// The page was opened and the answer never came.
    private static let noAnswer = [Symptom("user_cancelled", at: .userAgent), Symptom("flow_expired", at: .userAgent)]

    private static let again = "start a new sign-in"

    static let callback: [Cause] = [
        Cause(
            "user_closed_page", "the user closed the page or did not want to go on",
            [Symptom("user_cancelled"), Symptom("flow_expired", at: .userAgent)], 25, [.restored: -10],
            todo: "offer to sign in again; nothing is wrong with the client"),
        Cause(
            "server_showed_error",
            "the server showed an error on its page and did not send the browser back, as it must where the client or its "
                + "redirect URI is not registered",
            noAnswer, 22, [.redirectNamesLocalhost: 6],
            todo: "look at what the page says", "compare client ID and redirect URI with the registration",
            "`tern doctor --issuer … --client-id … --redirect …` asks the server what it thinks of both"),
        Cause(
            "scheme_not_registered", "no application is registered on this system for the redirect URI's scheme",
            noAnswer,
            -20, [.schemeUnregistered: 90, .redirect(.privateUseScheme): 30],
            todo: "Apple: add the scheme to CFBundleURLTypes of the Info.plist, without \"://\"; "
                + "`tern doctor --redirect … --info-plist …` compares them",
            "Linux: `tern scheme install SCHEME`, or a desktop entry with x-scheme-handler/SCHEME"),
        Cause(
            "scheme_claimed_by_another", "another application on this system takes the addresses of this scheme",
            noAnswer,
            -30, [.schemeTakenByAnother: 100, .redirect(.privateUseScheme): 35],
            todo:
                "make this application the scheme's handler, or choose a scheme that begins with a domain of yours turned "
                + "round (RFC 8252 §7.1)"),
        Cause(
            "association_file",
            "the system does not give this https address to the application: the association file is "
                + "missing, wrong, or cached as it was before",
            noAnswer, -20, [.redirect(.claimedHTTPS): 55],
            todo: "`tern doctor --redirect … --info-plist … --entitlements …` fetches the file and compares it",
            "Apple's servers keep the file for up to a day; ?mode=developer goes around them while you develop"),
        Cause(
            "loopback_blocked",
            "nothing reached the port on the loopback interface: a firewall or a browser's setting "
                + "blocks it",
            noAnswer, -25, [.redirect(.loopback): 20, .nothingArrived: 31],
            todo: "open the address by hand and look at what the browser says when it comes back",
            "`tern login --paste` goes without the port"),
        Cause(
            "browser_on_another_machine",
            "the browser runs on another machine, whose loopback interface is not this one's",
            noAnswer, -30, [.remoteSession: 70, .redirect(.loopback): 20, .redirect(.privateUseScheme): -40],
            todo: "`tern login --paste`, or --device where the server offers it",
            "or forward the port through the connection"
        ),
        Cause(
            "page_left_open", "the page was left open longer than a sign-in may take",
            [Symptom("flow_expired", at: .authorizationResponse, .storage)], 40, todo: again,
            "signInTimeLimit says how long it may take"),
        Cause(
            "foreign_answers", "only addresses arrived that do not belong to this sign-in", [Symptom("flow_expired")],
            -10,
            [.somethingRefused: 90], todo: "close the pages of earlier sign-ins, and start a new one"),
        Cause(
            "other_device_too_slow", "the code was not typed in on the other device in time", ["device_code_expired"],
            40,
            todo: "start again, which gives a new code"),
        Cause(
            "no_browser", "this machine has no browser, or no screen to show it on", ["browser_unavailable"], 40,
            [.noDisplay: 20, .remoteSession: 20],
            todo: "open the address by hand (--no-browser), or paste the callback (--paste)"),
        Cause(
            "port_taken",
            "another program listens at the port of the redirect, or an earlier sign-in is still waiting there",
            ["port_in_use"], 40, todo: "end the other program, or allow any port: http://127.0.0.1/callback"),
        Cause(
            "sign_in_called_twice", "signIn was called again while the page is open", ["login_in_progress"], 40,
            todo: "wait for the first one, cancel it, or let the new one take over (whenBusy)"),
        Cause(
            "answer_of_earlier_page",
            "the answer belongs to the page of an earlier sign-in, or somebody tried to slip in one of their own",
            ["state_mismatch", "stray_callback.unknown_state"], 30, [.restored: 10], todo: "\(again) and use its page"),
        Cause(
            "state_not_returned", "the server, or something on the way, does not give the state back",
            ["stray_callback.missing_state", Symptom("state_mismatch")], 20,
            todo: "look at the callback with `tern explain`", "a server that drops state cannot be used safely"),
        Cause(
            "sign_in_gone",
            "the sign-in was finished, cancelled or took too long, or began in another store; if nobody signed in just then, "
                + "somebody tried to slip in a foreign answer",
            ["stray_callback.nothing_pending", "stray_callback.unknown_state"], 25, todo: "\(again) and use its page"),
        Cause(
            "callback_reported_twice",
            "the system, or the user with the browser's back button, sent the callback twice",
            ["stray_callback.already_used"], 40, todo: "ignore it: the sign-in has its answer"),
        Cause(
            "address_of_other_part", "the address belongs to another part of the application",
            ["stray_callback.foreign_address"], 40, todo: "hand it to that part"),
        Cause(
            "callback_changed", "the address was changed or cut off on its way", ["malformed_callback"], 30,
            todo: "\(again); look at the callback with `tern explain`"),
        Cause(
            "other_response_mode",
            "the client is registered for another response type or mode, or the server does not know "
                + "the one that was asked for",
            ["unexpected_response_mode"], 30, todo: "register the client for what it asks, or change its response mode"),
        Cause(
            "redirect_needs_other_agent", "this way of showing the page cannot receive such an address",
            ["unsupported_redirect"], 40, todo: "choose another redirect URI or user agent"),
    ]
}
