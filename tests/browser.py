# SPDX-License-Identifier: BSD-3-Clause
"""Headless browsers for tests, without packages of Python."""

import json
import os
import shutil
import socket
import subprocess
import tempfile
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
        self.command("Emulation.setEmulatedMedia", {"features": features})

    def command(self, name, values):
        """Sends a command of Chromium's DevTools."""
        return self.ask(self.session + "/goog/cdp/execute", {"cmd": name, "params": values})

    def find(self, selector):
        """The first element that a CSS selector finds."""
        return self.ask(self.session + "/element", {"using": "css selector", "value": selector})

    def upload(self, selector, names):
        """Chooses files in an input element, besides those that are chosen."""
        element = next(iter(self.find(selector).values()))
        self.ask(f"{self.session}/element/{element}/value", {"text": "\n".join(names)})

    def click(self, selector):
        """Clicks the first element that a CSS selector finds."""
        self.ask(f"{self.session}/element/{next(iter(self.find(selector).values()))}/click", {})

    def frame(self, selector):
        """Scripts then run in the frame that SELECTOR finds; None: in the page."""
        self.ask(self.session + "/frame", {"id": selector and self.find(selector)})

    def act(self, kind, actions):
        """Moves the pointer or presses keys as users do."""
        self.ask(self.session + "/actions", {"actions": [{"type": kind, "id": kind, "actions": actions}]})

    def press(self, *keys):
        self.act("key", [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")])

    def drag(self, selector, start, end):
        """Drags across an element, from START to END pixels right of its middle."""
        self.run(f"document.querySelector('{selector}').scrollIntoView({{block: 'center'}})")
        moves = [{"type": "pointerMove", "origin": self.find(selector), "x": x, "y": 0} for x in (start, end)]
        self.act("pointer", [moves[0], {"type": "pointerDown", "button": 0}, moves[1], {"type": "pointerUp", "button": 0}])

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


class Firefox:
    """Headless Firefox, by its own protocol, Marionette."""

    MISSING = "" if shutil.which("firefox-esr") else "no firefox-esr (apt-get install firefox-esr)"

    def __init__(self, preferences={}):
        self.profile = tempfile.mkdtemp()
        with open(os.path.join(self.profile, "user.js"), "w") as file:
            # A free port, which is then in a file.
            for name, value in {"marionette.port": 0, **preferences}.items():
                file.write(f"user_pref({json.dumps(name)}, {json.dumps(value)});\n")
        self.process = subprocess.Popen(
            ["firefox-esr", "--headless", "--marionette", "--no-remote", "--profile", self.profile],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "HOME": self.profile},
        )
        port = os.path.join(self.profile, "MarionetteActivePort")
        end = time.monotonic() + 120
        while not (os.path.exists(port) and os.path.getsize(port)):
            if time.monotonic() > end or self.process.poll() is not None:
                raise TimeoutError("Firefox does not start")
            time.sleep(0.2)
        with open(port) as file:
            self.socket = socket.create_connection(("127.0.0.1", int(file.read())), timeout=120)
        self.number = 0
        self.receive()
        self.ask("WebDriver:NewSession", {"capabilities": {"alwaysMatch": {}}})

    def receive(self):
        size = b""
        while not size.endswith(b":"):
            size += self.socket.recv(1)
        data = b""
        while len(data) < int(size[:-1]):
            data += self.socket.recv(1 << 16)
        return json.loads(data)

    def ask(self, command, values):
        self.number += 1
        data = json.dumps([0, self.number, command, values]).encode()
        self.socket.sendall(b"%d:%s" % (len(data), data))
        _, _, error, result = self.receive()
        if error:
            raise RuntimeError(f"{command}: {error}")
        return result.get("value") if isinstance(result, dict) else result

    def run(self, script):
        return self.ask("WebDriver:ExecuteScript", {"script": script, "args": []})

    def open(self, name, width):
        self.ask("WebDriver:SetWindowRect", {"width": width, "height": 900})
        self.ask("WebDriver:Navigate", {"url": "file://" + urllib.request.pathname2url(name)})

    def find(self, selector):
        return self.ask("WebDriver:FindElement", {"using": "css selector", "value": selector})

    def upload(self, selector, names):
        element = next(iter(self.find(selector).values()))
        self.ask("WebDriver:ElementSendKeys", {"id": element, "text": "\n".join(names)})

    def click(self, selector):
        self.ask("WebDriver:ElementClick", {"id": next(iter(self.find(selector).values()))})

    def frame(self, selector):
        element = selector and next(iter(self.find(selector).values()))
        self.ask("WebDriver:SwitchToFrame", {"element": element} if element else {"id": None})

    def act(self, kind, actions):
        self.ask("WebDriver:PerformActions", {"actions": [{"type": kind, "id": kind, "actions": actions}]})

    press = Browser.press
    drag = Browser.drag
    wait = Browser.wait

    def close(self):
        try:
            self.ask("Marionette:Quit", {"flags": ["eForceQuit"]})
        except OSError:
            pass
        finally:
            self.process.terminate()
            self.process.wait()
            shutil.rmtree(self.profile, ignore_errors=True)
