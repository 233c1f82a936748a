#!/usr/bin/env python3
"""Signs in to real authorization servers with the real `tern` command and prints a table, server by scenario.

Exit status: 0 when no cell failed and at least one passed, 1 otherwise, 2 for wrong arguments, 130 after Ctrl-C.
"""

import argparse
import pathlib
import shutil
import signal
import sys
import threading
import time
import traceback

sys.dont_write_bytecode = True  # nothing is left in the source folders

from interop import features, oauth1_scenarios
from interop.authlib_oauth2 import AuthlibOAuth2
from interop.canaille import Canaille
from interop.django_oauth_toolkit import DjangoOAuthToolkit
from interop.glewlwyd import Glewlwyd
from interop.idpyoidc import Idpyoidc
from interop.lemonldap import Lemonldap
from interop.nanoidp import NanoIDP
from interop.oauth1_servers import Authlib, Oauthlib
from interop.process import free_port
from interop.server import Skip

SERVERS = {server.name: server for server in (NanoIDP, Glewlwyd, Lemonldap, DjangoOAuthToolkit, Canaille, AuthlibOAuth2, Idpyoidc, Authlib, Oauthlib)}
PLAYS = {"openid": features, "oauth1": oauth1_scenarios}
ROOT = pathlib.Path(__file__).resolve().parent.parent


class Cell:
    def __init__(self, verdict, seconds=0.0, reason=""):
        self.verdict = verdict
        self.seconds = seconds
        self.reason = reason

    def __str__(self):
        return f"ok {self.seconds:.1f}s" if self.verdict == "ok" else self.verdict


def attempt(action):
    """Runs an action and makes a cell of what comes of it."""
    start = time.monotonic()
    try:
        action()
        return Cell("ok", time.monotonic() - start)
    except Skip as reason:
        return Cell("skip", reason=str(reason))
    except AssertionError as reason:
        return Cell("FAIL", reason=str(reason))
    except Exception as problem:
        place = traceback.extract_tb(problem.__traceback__)[-1]
        where = f"{pathlib.Path(place.filename).name}:{place.lineno}"
        return Cell("FAIL", reason=f"{type(problem).__name__}: {problem} ({where})")


def play(server, path, folder, chosen, column):
    """One server from start to stop; fills its column of the table."""
    column[server.started] = started = attempt(server.start)
    stage = PLAYS[server.plays].Stage(server, path, folder / "commands")
    for scenario in chosen:
        if scenario.feature is not None and scenario.feature not in server.offers:
            continue
        if started.verdict == "ok" and scenario.needs_login and not stage.signed_in:
            cell = Cell("skip", reason="there was no login to go on from")
        elif started.verdict != "ok":
            cell = Cell("skip", reason=started.reason if started.verdict == "skip" else "the server did not start")
        else:
            cell = attempt(lambda: scenario.play(stage))
        column[scenario.title] = cell
        print(f"{server.name}: {scenario.title}: {cell}", file=sys.stderr, flush=True)
    server.stop()


def table(columns, headings, order):
    rows = [row for row in order if any(row in column for column in columns.values())]
    width = max(len(row) for row in rows)
    widths = {name: max(len(headings[name]), 8) for name in columns}
    print(" " * width + "".join(f"  {headings[name]:<{widths[name]}}" for name in columns).rstrip())
    for row in rows:
        cells = (f"  {column.get(row, '-')!s:<{widths[name]}}" for name, column in columns.items())
        print(f"{row:<{width}}" + "".join(cells).rstrip())
    for verdict in ("skip", "FAIL"):
        reasons = {}
        for name, column in columns.items():
            for row, cell in column.items():
                if cell.verdict == verdict:
                    reasons.setdefault((name, cell.reason), []).append(row)
        for (name, reason), titles in reasons.items():
            print(f"\n{verdict}: {name}: {'; '.join(titles)}\n  {reason}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tern", required=True, type=pathlib.Path, help="the command to test")
    parser.add_argument("--server", action="append", choices=SERVERS, help="only this server; may be repeated")
    parser.add_argument("--scenario", action="append", default=[], help="only the login and titles with this text")
    parser.add_argument("--list", action="store_true", help="print servers and scenarios and end")
    work = ROOT / ".build/interop"
    parser.add_argument("--work", type=pathlib.Path, default=work, help="folder for settings, data and logs")
    options = parser.parse_args()
    if options.list:
        for name, module in PLAYS.items():
            played = [server.name for server in SERVERS.values() if server.plays == name]
            print("\n".join([*played, "", *(f"  {scenario.title}" for scenario in module.SCENARIOS), ""]))
        return 0
    path = options.tern.resolve()
    if not path.is_file():
        parser.error(f"there is no command at {options.tern}")
    chosen = {
        name: [
            entry for entry in module.SCENARIOS
            if not options.scenario or any(part in entry.title for part in [*options.scenario, module.FIRST])
        ]
        for name, module in PLAYS.items()
    }

    # A terminated run ends its servers like a finished one.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    work = options.work.resolve()
    servers, columns = [], {}
    for name in options.server or SERVERS:
        folder = work / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        server = SERVERS[name](folder, f"http://127.0.0.1:{free_port()}/cb")
        servers.append(server)
        columns[name] = {}
    threads = [
        threading.Thread(
            target=play, args=(one, str(path), one.folder, chosen[one.plays], columns[one.name]), daemon=True
        )
        for one in servers
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    headings = {server.name: f"{server.name} {server.version}".strip() for server in servers}
    for name in PLAYS:
        part = {server.name: columns[server.name] for server in servers if server.plays == name}
        started = next((server.started for server in servers if server.plays == name), None)
        if part:
            print()
            table(part, headings, [started, *(scenario.title for scenario in PLAYS[name].SCENARIOS)])
    verdicts = [cell.verdict for column in columns.values() for cell in column.values()]
    passed, failed, skipped = (verdicts.count(verdict) for verdict in ("ok", "FAIL", "skip"))
    print(f"\n{passed} passed, {failed} failed, {skipped} skipped", flush=True)
    return 0 if failed == 0 and passed > 0 else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
