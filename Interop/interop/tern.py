"""The real command as a child process."""

import atexit
import json
import os
import signal
import subprocess
import threading
import time

OPEN = "Open this address: "
PATIENCE = 60  # seconds until a command counts as hanging


class Result:
    def __init__(self, arguments, status, output, errors):
        self.arguments = arguments
        self.status = status
        self.output = output
        self.errors = errors

    def expect(self, status=0):
        if self.status != status:
            # Standard output may hold a token, so only what went to standard error is shown.
            words = self.errors.strip()[-400:] or "no word on standard error"
            raise AssertionError(f"`tern {self.arguments[0]}` ended with {self.status} instead of {status}: {words}")
        return self

    def expect_error(self, code, status=1):
        """Failed in an orderly way: with this exit status and this code in the error object."""
        self.expect(status)
        if self.error_code != code:
            raise AssertionError(f"`tern {self.arguments[0]}` ended with {self.error_code} instead of {code}")

    @property
    def json(self):
        try:
            return json.loads(self.output)
        except ValueError:
            raise AssertionError(f"`tern {self.arguments[0]} --json` printed no JSON: {self.output[:200]!r}") from None

    @property
    def error_code(self):
        """The code in the error object, which is the last line or the whole of standard error."""
        lines = self.errors.strip().splitlines()
        for text in (self.errors, *reversed(lines)):
            try:
                return json.loads(text)["error"]["code"]
            except (ValueError, KeyError, TypeError):
                continue
        raise AssertionError(f"`tern {self.arguments[0]} --json` wrote no error object: {self.errors.strip()[-300:]!r}")


class Waiting:
    """A running command that waits for the user."""

    def __init__(self, arguments, child):
        self._arguments = arguments
        self._child = child
        self._output = []
        self._errors = []
        self._seen = threading.Condition()
        self._readers = [
            threading.Thread(target=self._read, args=(stream, lines), daemon=True)
            for stream, lines in ((child.stdout, self._output), (child.stderr, self._errors))
        ]
        for reader in self._readers:
            reader.start()
        atexit.register(self.close)

    def _read(self, stream, lines):
        for line in stream:
            with self._seen:
                lines.append(line)
                self._seen.notify_all()
        with self._seen:
            self._seen.notify_all()

    def address(self):
        """The address that the command asks to open."""

        def printed():
            return next((line[len(OPEN) :].strip() for line in self._errors if line.startswith(OPEN)), None)

        end = time.monotonic() + PATIENCE
        with self._seen:
            while printed() is None and time.monotonic() < end:
                if self._child.poll() is not None and not any(reader.is_alive() for reader in self._readers):
                    break
                self._seen.wait(0.1)
            found = printed()
        if found is None:
            words = "".join(self._errors).strip()[-400:] or "it said nothing"
            raise AssertionError(f"`tern {self._arguments[0]}` gave no address: {words}")
        return found

    def event(self, name):
        """The JSON object with that `event` that the command prints before it ends."""

        def printed():
            found = (json.loads(line) for line in self._output if line.startswith("{"))
            return next((value for value in found if value.get("event") == name), None)

        end = time.monotonic() + PATIENCE
        with self._seen:
            while printed() is None and time.monotonic() < end and any(reader.is_alive() for reader in self._readers):
                self._seen.wait(0.1)
        found = printed()
        if found is None:
            words = "".join(self._errors).strip()[-400:] or "it said nothing"
            raise AssertionError(f"`tern {self._arguments[0]}` printed no event {name}: {words}")
        return found

    def wait(self):
        try:
            self._child.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._child.kill()
            self._child.wait()
            raise AssertionError(f"`tern {self._arguments[0]}` did not end within {PATIENCE} s") from None
        for reader in self._readers:
            reader.join(5)
        return Result(self._arguments, self._child.returncode, "".join(self._output), "".join(self._errors))

    @property
    def has_ended(self):
        return self._child.poll() is not None

    def paste(self, text):
        """A line that the user types; only where the command reads from standard input."""
        self._child.stdin.write(text + "\n")
        self._child.stdin.flush()

    def interrupt(self):
        """Ctrl-C."""
        self._child.send_signal(signal.SIGINT)
        return self.wait()

    def close(self):
        if self._child.poll() is None:
            self._child.kill()
            self._child.wait()


class Tern:
    """The command with a store of its own."""

    def __init__(self, path, home, clients=()):
        self._path = path
        self.home = home
        self.store = home / "store"
        # No proxy, and nothing of the user's own settings.
        self._environment = {
            "PATH": os.environ.get("PATH", ""), "HOME": str(home), "LANG": "C.UTF-8", "NO_COLOR": "1",
            "TERN_STORE": str(self.store),
        }
        self._help = {}
        self._secrets = {}
        for client in clients:
            if client.secret:
                name = "SECRET_OF_" + client.id.upper().replace("-", "_")
                self._secrets[client.id] = name
                self._environment[name] = client.secret
        self.said = []  # everything that it wrote to standard error, for the check that no secret is in it
        home.mkdir(parents=True, exist_ok=True)

    def help(self, subcommand):
        """What `--help` says; nothing where there is no such subcommand."""
        if subcommand not in self._help:
            done = self.run(subcommand, "--help")
            self._help[subcommand] = done.output if done.status == 0 else ""
        return self._help[subcommand]

    def secret_of(self, client):
        """The variable that holds a client's secret."""
        return self._secrets[client.id]

    def run(self, *arguments, environment=None, store=None, data=None, is_secret=False):
        """Runs the command. What it prints on standard output may hold secrets where `is_secret`."""
        settings = {**self._environment, **(environment or {})}
        if store is not None:
            settings["TERN_STORE"] = str(store)
        stdin = {"stdin": subprocess.DEVNULL} if data is None else {"input": data}
        try:
            done = subprocess.run(
                [self._path, *arguments], capture_output=True, timeout=PATIENCE, env=settings, **stdin
            )
        except subprocess.TimeoutExpired:
            raise AssertionError(f"`tern {arguments[0]}` did not end within {PATIENCE} s") from None
        return self._keep(Result(arguments, done.returncode, done.stdout.decode(), done.stderr.decode()), is_secret)

    def login(self, server, client, *, browser=None, paste=False, environment=None, **options):
        """Starts `tern login --json`. `browser` is a script that takes the address, which is printed without it. With
        `paste` the command does not listen, and the callback is to be pasted."""
        chosen = {**server.login_options(client), **options}
        if client.id in self._secrets:
            chosen.setdefault("client-secret-env", self._secrets[client.id])
        arguments = ["login", "--json"]
        for name, value in chosen.items():
            if value is None:
                continue
            arguments += [f"--{name}"] if value is True else [f"--{name}", value]
        settings = {**self._environment, **(environment or {})}
        if "device" in chosen:
            arguments = [word for word in arguments if word not in ("--redirect", chosen["redirect"])]
        elif browser is None:
            arguments.append("--paste" if paste else "--no-browser")
        else:
            settings["BROWSER"] = str(browser)
        reads = paste or chosen["redirect"] == "oob"
        return self._start(arguments, settings, subprocess.PIPE if reads else subprocess.DEVNULL)

    def logout(self):
        """Starts `tern logout --json` with the logout page."""
        return self._start(["logout", "--json", "--no-browser"], self._environment, subprocess.DEVNULL)

    def _start(self, arguments, settings, stdin):
        child = subprocess.Popen(
            [self._path, *arguments], stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env=settings,
        )
        return Waiting(arguments, child)

    def finish(self, waiting):
        return self._keep(waiting.wait())

    def interrupt(self, waiting):
        return self._keep(waiting.interrupt())

    def stored_tokens(self):
        """All tokens that lie in the store, so that it can be checked that none of them was printed."""
        tokens = set()
        for path in self.store.rglob("*.record"):
            record = json.loads(path.read_bytes())
            tokens.update(
                value for name, value in record.items()
                if (name.endswith("_token") or name == "token_secret") and isinstance(value, str)
            )
        return tokens

    def spoil_access_token(self):
        """Changes the access token in the store, so that the server does not know it."""
        for path in self.store.rglob("*.record"):
            record = json.loads(path.read_bytes())
            if "access_token" in record:
                record["access_token"] = record["access_token"][:-4] + "AAAA"
                path.write_text(json.dumps(record))

    def _keep(self, result, is_secret=False):
        self.said.append(result.errors)
        if not is_secret and result.arguments[0] not in ("token", "sign"):
            self.said.append(result.output)
        return result


def find(value, name):
    """The first member called `name` at any depth of a JSON value; None where there is none."""
    if isinstance(value, dict):
        if name in value:
            return value[name]
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            found = find(item, name)
            if found is not None:
                return found
    return None
