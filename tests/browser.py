# SPDX-License-Identifier: BSD-3-Clause
"""Headless Chromium for tests, without packages of Python."""

import json
import shutil
import socket
import subprocess
import time
import urllib.request

# Why there is no browser, or "".
MISSING = (
    ""
    if shutil.which("chromium") and shutil.which("chromedriver")
    else "no chromium and chromedriver (apt-get install chromium chromium-driver)"
)


class Browser:
    """Headless Chromium, by chromedriver's own protocol."""

    def __init__(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.driver = subprocess.Popen(
            ["chromedriver", f"--port={port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        self.url = f"http://127.0.0.1:{port}"
        for _ in range(100):
            try:
                urllib.request.urlopen(self.url + "/status")
                break
            except OSError:
                time.sleep(0.2)
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
        answer = self.ask(
            "/session",
            {
                "capabilities": {
                    "alwaysMatch": {
                        "goog:chromeOptions": {"args": arguments},
                        "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
                    }
                }
            },
        )
        self.session = "/session/" + answer["sessionId"]

    def ask(self, path, values):
        request = urllib.request.Request(
            self.url + path, json.dumps(values).encode(), {"Content-Type": "application/json"}
        )
        return json.load(urllib.request.urlopen(request, timeout=120))["value"]

    def run(self, script):
        return self.ask(self.session + "/execute/sync", {"script": script, "args": []})

    def open(self, name, width):
        self.go("file://" + urllib.request.pathname2url(name), width)

    def go(self, url, width=1400):
        self.ask(self.session + "/window/rect", {"width": width, "height": 900})
        self.ask(self.session + "/url", {"url": url})

    def scheme(self, name):
        """Pages are told that the reader prefers light or dark ones."""
        features = [{"name": "prefers-color-scheme", "value": name}]
        values = {"cmd": "Emulation.setEmulatedMedia", "params": {"features": features}}
        self.ask(self.session + "/goog/cdp/execute", values)

    def click(self, selector):
        """Clicks the first element that a CSS selector finds."""
        found = self.ask(self.session + "/element", {"using": "css selector", "value": selector})
        self.ask(f"{self.session}/element/{next(iter(found.values()))}/click", {})

    def wait(self, script, seconds=120):
        """Returns the value of a script once it is not null."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            value = self.run(script)
            if value is not None:
                return value
            time.sleep(0.2)
        raise TimeoutError(f"after {seconds} s: {script}")

    def log(self, kind):
        return self.ask(self.session + "/se/log", {"type": kind})

    def close(self):
        try:
            urllib.request.urlopen(urllib.request.Request(self.url + self.session, method="DELETE"), timeout=60).read()
        finally:
            self.driver.terminate()
            self.driver.wait()
