"""Child processes that are ended for certain, and ports that are free."""

import atexit
import http.server
import json
import os
import signal
import socket
import ssl
import subprocess
import threading
import time
import urllib.error
import urllib.request

_taken = set()


def free_port():
    """A free loopback port below the range from which the kernel takes ports for outgoing connections."""
    for port in range(21000 + os.getpid() % 5000, 32000):
        if port in _taken:
            continue
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        _taken.add(port)
        return port
    raise RuntimeError("no free port on 127.0.0.1")


class Document:
    """Serves one JSON document by https on loopback while it is entered. `content` makes it of its own address."""

    def __init__(self, port, certificate, content):
        self.address = f"https://localhost:{port}/client.json"
        body = json.dumps(content(self.address)).encode()

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*certificate)
        self._server.socket = context.wrap_socket(self._server.socket, server_side=True)

    def __enter__(self):
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self.address

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()


class Process:
    """A server in the background, in a process group of its own so that its children end with it."""

    def __init__(self, arguments, log, **options):
        self._log = log
        with open(log, "wb") as output:
            self._child = subprocess.Popen(
                arguments, stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True, **options
            )
        atexit.register(self.stop)

    def wait_for(self, address, seconds=30):
        """Returns when a GET of the address succeeds."""
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self._child.poll() is not None:
                raise RuntimeError(f"ended with status {self._child.returncode}: {self.last_words()}")
            try:
                with opener.open(address, timeout=5):
                    return
            except (urllib.error.URLError, OSError):
                time.sleep(0.05)
        raise RuntimeError(f"did not answer within {seconds} s: {self.last_words()}")

    def last_words(self):
        with open(self._log, "rb") as log:
            return log.read()[-600:].decode("utf-8", "replace").strip() or "(it said nothing)"

    def stop(self):
        for number, patience in ((signal.SIGTERM, 5), (signal.SIGKILL, 5)):
            try:
                os.killpg(self._child.pid, number)
            except ProcessLookupError:
                break
            try:
                self._child.wait(patience)
                break
            except subprocess.TimeoutExpired:
                continue
