"""Drives the UI of a Turnwire session: components and the shared state. Standard library only."""

import json
import os
import time
import urllib.error
import urllib.request
from pathlib import Path
from urllib.parse import quote

ATTEMPTS = 20


class Refused(Exception):
    """What the server refused. Decide by `code`; the text is for people."""

    def __init__(self, error):
        super().__init__(f"{error['code']}: {error['message']}")
        self.code = error["code"]


class SessionUi:
    def __init__(self, session_id, url=None, token=None):
        url = url or os.environ.get("TURNWIRE_URL", "http://127.0.0.1:4747")
        self._session = f"{url}/sessions/{quote(session_id, safe='')}"
        self._token = token or os.environ.get("TURNWIRE_TOKEN") or _own_token()

    def show(self, component_id, name, surface, **props):
        """Shows a component with these properties and no others."""
        self._put(component_id, {"name": name, "surface": surface, "props": props})

    def update(self, component_id, **props):
        """Merges properties over those that are there."""
        self._put(component_id, {"props": props, "merge": True})

    def remove(self, component_id):
        self._send("DELETE", f"/components/{quote(component_id, safe='')}")

    def ask(self, interrupt_id, name, surface=None, **props):
        """Shows a component and waits for the value that a person gives there; None where no answer came in time."""
        place = {} if surface is None else {"surface": surface}
        path = f"/interrupt/{quote(interrupt_id, safe='')}"
        try:
            # Asking again has no effect while it is open: a program that was started again waits on.
            after = self._send("PUT", path, {"component_name": name, "props": props, **place})["seq"] - 1
        except Refused as refused:
            if refused.code != "already_resolved":
                raise
            after = 0
        for event in self._events(after):
            if event["type"] == "interrupt_resolved" and event["data"]["interrupt_id"] == interrupt_id:
                return event["data"].get("value")

    def state(self):
        return self._send("GET", "/state")["state"]

    def patch_state(self, change):
        """Patches the shared state with what `change(state)` returns; again where another writer was faster."""
        for attempt in range(1, ATTEMPTS + 1):
            now = self._send("GET", "/state")
            patches = change(now["state"])
            try:
                self._send("PATCH", "/state", {"patches": patches, "base_version": now["version"]})
                return
            except Refused as refused:
                if refused.code != "stale_state" or attempt == ATTEMPTS:
                    raise

    def _events(self, after):
        """Every event after that one, once, also where the connection is cut."""
        while True:
            headers = {"Authorization": f"Bearer {self._token}", "Accept": "text/event-stream"}
            request = urllib.request.Request(f"{self._session}/events?after={after}", headers=headers)
            try:
                with urllib.request.urlopen(request, timeout=60) as lines:
                    for line in lines:
                        if line.startswith(b"data:"):
                            event = json.loads(line[5:])
                            after = event["seq"]
                            yield event
            except urllib.error.HTTPError as error:
                raise Refused(json.load(error)["error"]) from None
            except OSError:
                time.sleep(1)

    def _put(self, component_id, change):
        self._send("PUT", f"/components/{quote(component_id, safe='')}", change)

    def _send(self, method, path, body=None):
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self._session + path, data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            raise Refused(json.load(error)["error"]) from None


def _own_token():
    return (Path.home() / ".turnwire" / "token").read_text().strip()
