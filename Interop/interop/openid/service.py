"""What the services share. Run as: NAME_server.py FOLDER; the folder's `settings.json` says port, issuer, clients and user."""

import json
import pathlib
import sys

FOLDER = pathlib.Path(sys.argv[1])
SETTINGS = json.loads((FOLDER / "settings.json").read_text())
ISSUER, PORT, USER = SETTINGS["issuer"], SETTINGS["port"], SETTINGS["user"]
REDIRECTS = [SETTINGS["redirect"], SETTINGS["scheme_redirect"]]

PAGE = """<!doctype html><title>Sign in</title><form method=post>
<input name=username autocomplete=off><input name=password type=password>
<button name=answer value=allow>Allow</button><button name=answer value=deny>Deny</button></form>"""


def method(client):
    """How the registries call a client's authentication."""
    names = {"basic": "client_secret_basic", "post": "client_secret_post"}
    return names.get(client["authentication"], client["authentication"].replace("-", "_"))


def decision(fields):
    """`allow` or `deny` by the user who sent the page; None where it has to be shown (again)."""
    if fields.get("answer") == "deny":
        return "deny"
    return "allow" if (fields.get("username"), fields.get("password")) == (USER["name"], USER["password"]) else None
