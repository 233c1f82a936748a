"""Servers that are Python packages: each has an environment of its own with pinned packages, and a small service around
the library that gets its settings from us."""

import hashlib
import json
import pathlib
import shutil
import subprocess
import sys
import threading

from .process import Process, free_port
from .server import ALICE, Server

HERE = pathlib.Path(__file__).parent
_installing = threading.Semaphore(2)  # more at once are slower than one after the other


def requirements(name):
    """The file that pins the packages of an environment."""
    return HERE.parent / f"requirements/{name}.txt"


def pins(name):
    """Package to version; the names as the file writes them."""
    lines = requirements(name).read_text().splitlines()
    return dict(line.strip().split("==") for line in lines if "==" in line)


def environment(folder, name):
    """The Python environment with the packages that are pinned; made when it is missing or the pins have changed."""
    home = folder / f"{name}-environment/venv"
    stamp = home / "made-from"
    made_from = hashlib.sha256(requirements(name).read_bytes()).hexdigest() + sys.version
    if not stamp.exists() or stamp.read_text() != made_from:
        shutil.rmtree(home, ignore_errors=True)
        pip = [str(home / "bin/pip"), "install", "--quiet", "--disable-pip-version-check", "-r", str(requirements(name))]
        with _installing:
            for step in ([sys.executable, "-m", "venv", str(home)], pip):
                done = subprocess.run(step, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=300)
                if done.returncode != 0:
                    raise RuntimeError("its Python environment could not be made: " + done.stderr.strip()[-600:])
        stamp.write_text(made_from)
    return home


class PythonServer(Server):
    """A service of `openid/`, named for its file: it reads `settings.json` in its folder."""

    package = ""  # as its requirements call it
    service = ""  # the script in `openid/`
    host = "localhost"
    path = ""  # of the issuer

    def __init__(self, folder, redirect):
        super().__init__(folder, redirect)
        self.port = free_port()

    @property
    def issuer(self):
        return f"http://{self.host}:{self.port}{self.path}"

    @property
    def alias(self):
        other = "127.0.0.1" if self.host == "localhost" else "localhost"
        return f"http://{other}:{self.port}{self.path}"

    def start(self):
        home = environment(self.folder.parent, self.name)
        self.version = pins(self.name)[self.package]
        clients = [
            {
                "key": key, "id": client.id, "authentication": client.authentication, "secret": client.secret or "",
                "jwk": client.public_key(self.folder),
            }
            for key, client in self.clients.items()
        ]
        settings = {
            "port": self.port, "issuer": self.issuer, "redirect": self.redirect, "clients": clients,
            "scheme_redirect": self.scheme_redirect, "user": vars(ALICE), "scopes": self.scope.split(),
        }
        (self.folder / "settings.json").write_text(json.dumps(settings, indent=1))
        script = HERE / f"openid/{self.service}.py"
        command = [str(home / "bin/python"), "-B", "-W", "ignore", str(script), str(self.folder)]
        process = Process(command, self.folder / "log", cwd=self.folder)
        self.processes.append(process)
        process.wait_for(self.issuer + self.well_known, 60)
        self.read_metadata()
