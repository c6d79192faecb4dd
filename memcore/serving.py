"""Starting the app: a Streamlit server, as a process of its own, for this computer unless told otherwise.

An address that others can reach needs tokens to sign in with (see signing), or a flag that says in so many
words that anybody may come in. `memcore` never imports Streamlit; it finds `app.py` in the checkout or in the
installed package.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path

from memcore.access.signing import SHORTEST, usable
from memcore.errors import InputError, NotFound
from memcore.installed import installed
from memcore.settings import scopes_set, store_folder, tokens_set

FIRST_PORT = 8765
LOOPBACK = "127.0.0.1"
LOCAL_NAMES = ("127.0.0.1", "localhost", "[::1]")
PUBLIC_UPLOAD = 64  # megabytes: who has not signed in can send files too
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome", "msedge")
_REFUSED = (
    "Others can reach the address {address}, and nobody has to sign in: set MEMCORE_OFFICER_TOKEN, and "
    f"MEMCORE_EDITOR_TOKEN and MEMCORE_VIEWER_TOKEN as needed, to tokens of at least {SHORTEST} characters, "
    "or say --unsafe-public to let anybody read, change and erase."
)
_UNENCRYPTED = (
    "Others can reach this address, and what they read and type is not encrypted on the way: put a server "
    "that speaks https in front of it."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Serving:
    """What is to be served and how. `hosts` are the names under which others reach it."""

    store: str = ""
    port: int = 0
    window: bool = False
    headless: bool = False
    address: str = ""
    hosts: tuple[str, ...] = ()
    unsafe_public: bool = False

    @property
    def listens_on(self) -> str:
        return self.address.strip("[] ") or LOOPBACK

    @property
    def public(self) -> bool:
        """Whether others than this computer can reach it."""
        return not is_loopback(self.listens_on)


def serve(wanted: Serving) -> int:
    """Serve until stopped; the server's exit code.

    Raises InputError for a port that is taken, a public address without tokens, tokens that cannot be, or a
    file in place of the store's folder.
    """
    allowed(wanted, tokens_set(), scopes_set())
    _can_be_a_store(Path(wanted.store or store_folder()).expanduser())
    app = app_path()
    port = wanted.port or free_port()
    if taken(port):
        raise InputError(f"Port {port} is in use: choose another with --port.")
    if wanted.window:
        threading.Thread(target=_open_window, args=(port,), daemon=True).start()
    if wanted.public:
        print(_UNENCRYPTED, flush=True)
    address = LOOPBACK if not wanted.public else wanted.listens_on
    print(f"Memory inspector: http://{address}:{port} (Ctrl+C stops it)", flush=True)
    command = [sys.executable, "-m", "streamlit", "run", str(app), *options(wanted, port)]
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # the server must not outlive this process
    try:
        return subprocess.run(command, env=_environment(wanted), cwd=app.parent, check=False).returncode
    except KeyboardInterrupt:
        return 0


def allowed(wanted: Serving, tokens: Mapping[str, str], scopes: Collection[str] = ()) -> None:
    """Raises InputError where somebody could come in who should not; `scopes` are the roles that may enter
    some memories only."""
    usable(tokens, scopes)
    if wanted.public and not tokens and not wanted.unsafe_public:
        raise InputError(_REFUSED.format(address=wanted.listens_on))


def _can_be_a_store(folder: Path) -> None:
    if folder.is_file():
        raise InputError(f"{folder.name} is a file: name a folder for the store.")


def options(wanted: Serving, port: int) -> list[str]:
    """What the server is told. Tokens are not among it: who lists processes could read them."""
    told = {
        "server.address": wanted.listens_on,
        "server.port": str(port),
        "server.headless": str(wanted.headless or wanted.window or wanted.public).lower(),
        "server.showEmailPrompt": "false",
        "server.enableCORS": "true",
        "server.enableXsrfProtection": "true",
        "server.xsrfCookieSameSite": "strict",
        "browser.gatherUsageStats": "false",
        "logger.hideWelcomeMessage": "true",
    }
    if wanted.public:
        told["server.maxUploadSize"] = str(PUBLIC_UPLOAD)
    if wanted.hosts:
        told["browser.serverAddress"] = wanted.hosts[0]
    named = [f"--{name}={value}" for name, value in told.items()]
    # pages elsewhere on the web must not reach it under a name of their own
    hosts = (*LOCAL_NAMES, *wanted.hosts) if wanted.hosts or not wanted.public else ()
    named += [f"--server.allowedHosts={host}" for host in hosts]
    return named + [f"--server.corsAllowedOrigins=https://{host}" for host in wanted.hosts]


def is_loopback(address: str) -> bool:
    """Whether only this computer reaches what listens there; a name that is no address counts as public."""
    if address.casefold() == "localhost":
        return True
    try:
        return ip_address(address.strip("[]")).is_loopback
    except ValueError:
        return False


def _environment(wanted: Serving) -> dict[str, str]:
    """That of this process, tokens included, with what was asked for."""
    given = {name: value for name, value in os.environ.items() if name != "MEMCORE_UNSAFE_PUBLIC"}
    if wanted.store:
        given["MEMCORE_STORE"] = str(Path(wanted.store).expanduser().resolve())
    return given | ({"MEMCORE_UNSAFE_PUBLIC": "1"} if wanted.unsafe_public else {})


def app_path() -> Path:
    """`app.py` of the checkout, else of the installed package. Raises NotFound."""
    if found := installed("app.py"):
        return found
    raise NotFound("The app is not part of this installation.")


def taken(port: int) -> bool:
    """Whether something listens there already."""
    with socket.socket() as probe:
        return probe.connect_ex((LOOPBACK, port)) == 0


def free_port() -> int:
    """The first free port from 8765 on."""
    return next(p for p in range(FIRST_PORT, 65_536) if not taken(p))


def _open_window(port: int) -> None:
    """A browser window without tabs, once the server answers."""
    url = f"http://{LOOPBACK}:{port}"
    browser = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    for _ in range(150):
        try:
            with urllib.request.urlopen(f"{url}/_stcore/health", timeout=1):
                break
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
    if browser is None:
        print(f"No Chromium found for --window: open {url} in a browser.", flush=True)
        return
    profile = tempfile.mkdtemp(prefix="memcore-window-")
    subprocess.Popen([browser, f"--app={url}", f"--user-data-dir={profile}", "--no-first-run"])
