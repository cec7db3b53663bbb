"""A client of Turnwire's HTTP interface. Everything here follows PROTOCOL.md; § names its sections."""

import http.client
import json
import random
import time
import uuid
from contextlib import closing
from urllib.parse import quote, urlencode, urlsplit

SILENCE_SECONDS = 45  # The server sends a keepalive after 15 s (§5).
ANSWER_SECONDS = 60
LONGEST_PAUSE_SECONDS = 30
ATTEMPTS = 5


class WireError(Exception):
    """What the server refused (§11). Decide by `code`; the text is for people."""

    def __init__(self, status, error, retry_after=0.0):
        super().__init__(f"{error['code']}: {error['message']}")
        self.status = status
        self.code = error["code"]
        self.retryable = error["retryable"]
        self.details = error.get("details", {})
        self.retry_after = retry_after


class ConnectionFailed(Exception):
    """No answer, or one that is not Turnwire's. Whether the request had an effect is unknown."""


class Client:
    """Creates, lists, commands and follows sessions of one server."""

    def __init__(self, url, token):
        self._url = urlsplit(url)
        self._headers = {"Authorization": f"Bearer {token}"}

    # Sessions (§3)

    def create(self, **fields):
        """Creates a session; the fields are those of CreateSession."""
        return self._ask("POST", "/sessions", fields)

    def list(self, **query):
        """Yields the sessions, newest update first, page after page."""
        while True:
            page = self._ask("GET", "/sessions?" + urlencode(query), attempts=ATTEMPTS)
            yield from page["sessions"]
            if "next" not in page:
                return
            query["after"] = page["next"]

    def show(self, session_id):
        return self._ask("GET", _path(session_id), attempts=ATTEMPTS)

    def archive(self, session_id):
        return self._ask("POST", _path(session_id, "archive"), attempts=ATTEMPTS)

    def unarchive(self, session_id):
        return self._ask("POST", _path(session_id, "unarchive"), attempts=ATTEMPTS)

    def delete(self, session_id):
        self._ask("DELETE", _path(session_id))

    def snapshot(self, session_id):
        """The folded state with the seq and epoch to continue from (§4)."""
        return self._ask("GET", _path(session_id, "snapshot"), attempts=ATTEMPTS)

    # Commands (§6)

    def send(self, session_id, message, client_message_id=None, **fields):
        """Sends a message once, however often the request has to be repeated."""
        body = {"message": message, "client_message_id": client_message_id or str(uuid.uuid4())}
        return self._ask(
            "POST", _path(session_id, "message"), {**body, **fields}, attempts=ATTEMPTS
        )

    def command(self, session_id, type, **fields):
        return self._ask("POST", _path(session_id, "commands"), {"type": type, **fields})

    def interrupt(self, session_id):
        """Stops the turn that runs; nothing happens if none does."""
        return self.command(session_id, "interrupt")

    def answer_permission(self, session_id, correlation_id, behavior, **fields):
        """`behavior` is `allow` or `deny`."""
        return self.command(
            session_id,
            "permission_response",
            correlation_id=correlation_id,
            behavior=behavior,
            **fields,
        )

    def answer_question(self, session_id, correlation_id, answers):
        """`answers` maps each question's full text to a label, a list of labels, or free text."""
        return self.command(
            session_id, "question_response", correlation_id=correlation_id, answers=answers
        )

    # Following (§5)

    def follow(self, session_id, after=0, epoch=None):
        """Yields every event after `after` once and in order, across broken connections.

        Ends after `session_closed`. Where the log cannot be continued from its position, it yields
        `{"type": "gap", "seq": …, "data": snapshot}`, which is no event of the log: the reader
        replaces its state by `data["state"]`, and the events after `seq` follow.
        """
        failures = 0
        while True:
            pause = 0.0
            try:
                with closing(self._open_stream(session_id, after, epoch)) as stream:
                    epoch = stream.epoch
                    for event in stream.events():
                        if event["seq"] <= after:
                            continue
                        if event["seq"] != after + 1:
                            break
                        after = event["seq"]
                        failures = 0
                        yield event
                        if event["type"] == "session_closed":
                            return
                pause = stream.retry_seconds
            except WireError as error:
                if error.code == "cursor_gone":
                    snapshot = self.snapshot(session_id)
                    after, epoch = snapshot["seq"], snapshot["epoch"]
                    yield {"type": "gap", "seq": after, "data": snapshot}
                elif error.status not in (408, 429) and error.status < 500:
                    raise
                pause = error.retry_after
            except ConnectionFailed:
                pass
            time.sleep(max(pause, _random_pause(failures)))
            failures += 1

    def _open_stream(self, session_id, after, epoch):
        query = {"after": after} if epoch is None else {"after": after, "epoch": epoch}
        path = _path(session_id, "events") + "?" + urlencode(query)
        headers = {"Accept": "text/event-stream"}
        return _Stream(*self._request("GET", path, None, headers, SILENCE_SECONDS))

    # Requests

    def _ask(self, method, path, body=None, attempts=1):
        """The answer's JSON. A request that may be repeated without harm gets more `attempts`."""
        for attempt in range(1, attempts + 1):
            pause = _random_pause(attempt)
            try:
                connection, response = self._request(method, path, body, {}, ANSWER_SECONDS)
                try:
                    text = response.read()
                finally:
                    connection.close()
                return json.loads(text) if text else None
            except WireError as error:
                if not error.retryable or attempt == attempts:
                    raise
                pause = max(pause, error.retry_after)
            except (OSError, http.client.HTTPException, ValueError) as error:
                if attempt == attempts:
                    raise ConnectionFailed(f"{method} {path}: {error}") from error
            except ConnectionFailed:
                if attempt == attempts:
                    raise
            time.sleep(pause)

    def _request(self, method, path, body, headers, timeout):
        """The connection and its response, whose body is still to be read."""
        is_secure = self._url.scheme == "https"
        kind = http.client.HTTPSConnection if is_secure else http.client.HTTPConnection
        connection = kind(self._url.hostname, self._url.port, timeout=timeout)
        headers = {**self._headers, **headers}
        if body is not None:
            body = json.dumps(body).encode()
            headers["Content-Type"] = "application/json"
        try:
            connection.request(method, self._url.path.rstrip("/") + path, body, headers)
            response = connection.getresponse()
            if response.status < 400:
                return connection, response
            text = response.read()
        except (OSError, http.client.HTTPException) as error:
            connection.close()
            raise ConnectionFailed(f"{method} {path}: {error}") from error
        connection.close()
        raise _wire_error(response, text)


class _Stream:
    """The events of one connection. What a cut leaves of a frame is dropped."""

    def __init__(self, connection, response):
        self._connection = connection
        self._response = response
        self.epoch = response.getheader("Turnwire-Epoch")
        self.retry_seconds = 0.0

    def events(self):
        data = []
        try:
            while True:
                line = self._response.readline()
                if not line.endswith(b"\n"):
                    return
                line = line.decode().rstrip("\r\n")
                field, _, value = line.partition(":")  # The field of a comment is empty.
                value = value[1:] if value.startswith(" ") else value
                if line == "" and data:
                    yield json.loads("\n".join(data))
                    data = []
                elif field == "data":
                    data.append(value)
                elif field == "retry" and value.isdigit():
                    self.retry_seconds = int(value) / 1000
        except (OSError, http.client.HTTPException, ValueError):
            return  # A cut, or silence for too long: the caller reconnects.

    def close(self):
        self._response.close()
        self._connection.close()


def _path(session_id, *rest):
    return "/".join(["/sessions", quote(session_id, safe=""), *rest])


def _random_pause(failures):
    """Seconds: at most 0.1 at first, then up to twice as much after each failure."""
    return random.uniform(0, min(0.1 * 2 ** min(failures, 20), LONGEST_PAUSE_SECONDS))


def _wire_error(response, text):
    """A WireError, also where something between client and server refused."""
    retry_after = response.getheader("Retry-After", "")
    try:
        error = json.loads(text)["error"]
    except (ValueError, TypeError, KeyError):
        message = f"HTTP {response.status} without an error of Turnwire"
        error = {"code": "http_status", "message": message, "retryable": response.status >= 500}
    return WireError(response.status, error, float(retry_after) if retry_after.isdigit() else 0.0)
