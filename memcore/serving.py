"""Starting the app: a Streamlit server on loopback, as a process of its own.

`memcore` never imports Streamlit; it finds `app.py` in the checkout or in the installed package.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path

from memcore.errors import InputError, NotFound

FIRST_PORT = 8765
LOOPBACK = "127.0.0.1"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome", "msedge")


def serve(*, store: str, port: int, window: bool, headless: bool) -> int:
    """Serve until stopped; the server's exit code. Raises InputError for a port that is taken."""
    app = app_path()
    port = port or free_port()
    if taken(port):
        raise InputError(f"Port {port} is in use: choose another with --port.")
    environment = {
        **os.environ,
        **({"MEMCORE_STORE": str(Path(store).expanduser().resolve())} if store else {}),
    }
    command = [sys.executable, "-m", "streamlit", "run", str(app), f"--server.address={LOOPBACK}"]
    command += [f"--server.port={port}", f"--server.headless={str(headless or window).lower()}"]
    if window:
        threading.Thread(target=_open_window, args=(port,), daemon=True).start()
    print(f"Memory inspector: http://{LOOPBACK}:{port}", flush=True)
    try:
        return subprocess.run(command, env=environment, cwd=app.parent, check=False).returncode
    except KeyboardInterrupt:
        return 0


def app_path() -> Path:
    """`app.py` of the checkout, else of the installed package. Raises NotFound."""
    here = Path(__file__).resolve().parent
    found = next((p for p in (here.parent / "app.py", here / "webapp" / "app.py") if p.is_file()), None)
    if found is None:
        raise NotFound("The app is not part of this installation.")
    return found


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
