"""What `tern doctor` says of servers that other people wrote: nothing false of a healthy set-up, and what was planted."""

from .scenarios import scenario
from .server import Skip


def _examine(stage, name, client, status=0, **changes):
    """The findings as `name: level`, of several of one name the worst."""
    server = stage.server
    words = {
        "issuer": server.issuer, "client-id": client.id, "client-auth": client.authentication,
        "redirect": server.redirect, "scope": server.scope, **changes,
    }
    options = [word for option, value in words.items() for word in (f"--{option}", value)]
    tern = stage.fresh(name)
    result = tern.run("doctor", "--json", *options)
    (tern.home / "report.json").write_text(result.output)  # to be read when something in it is a surprise
    report = result.json
    order = ["passed", "note", "warning", "could_not_check", "failed"]
    levels = {}
    for finding in (finding for section in report["sections"] for finding in section["findings"]):
        level = max(finding["level"], levels.get(finding["name"], "passed"), key=order.index)
        levels[finding["name"]] = level
    failed = [name for name, level in levels.items() if level == "failed"]
    assert result.status == status, f"ended with {result.status} instead of {status}; failed: {', '.join(failed)}"
    return levels


@scenario("doctor: nothing false of a healthy set-up")
def healthy(stage):
    stage.require("doctor", "--client-auth")
    for role in ("public", "basic", "post"):
        levels = _examine(stage, f"doctor-{role}", stage.server.clients[role])
        found = {f"{level} {name}" for name, level in levels.items() if level not in ("passed", "note")}
        # A server on loopback is not one to release an app with.
        strange = found - stage.server.doctor_remarks - {"warning release_issuer"}
        assert not strange, f"{role}: {', '.join(sorted(strange))}"
        for name in ("server_reachable", "issuer_equal", "keys_reachable", "clock"):
            assert levels.get(name) == "passed", f"{role}: {name} is {levels.get(name)}"


@scenario("doctor: another issuer")
def other_issuer(stage):
    levels = _examine(stage, "doctor-issuer", stage.client, status=1, issuer=stage.server.alias)
    assert levels.get("issuer_equal") == "failed", levels


@scenario("doctor: a redirect with a slash too much")
def slash(stage):
    if not stage.server.judges_before_login:
        raise Skip("the server asks for the login before it looks at the redirect")
    redirect = stage.server.redirect + "/"
    levels = _examine(stage, "doctor-redirect", stage.client, status=1, redirect=redirect)
    assert levels.get("redirect_registered") == "failed", levels


@scenario("doctor: an unknown client")
def unknown_client(stage):
    levels = _examine(stage, "doctor-client", stage.client, status=1, **{"client-id": "nobody-knows-it"})
    # glewlwyd says one thing of unknown clients and of strange redirects.
    assert "failed" in (levels.get("client_known"), levels.get("redirect_registered")), levels


@scenario("doctor: no server there")
def nobody(stage):
    levels = _examine(stage, "doctor-nobody", stage.client, status=4, issuer="http://127.0.0.1:1")
    assert levels.get("server_reachable") == "failed", levels
