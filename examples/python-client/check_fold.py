"""Folds sessions with the demo agent and compares the state with the server's own snapshot."""

import os
import sys

from fold import fold, new_state
from turnwire import Client

WORDS = (
    "hello /markdown /tools /permission /policy /question /subagents /components /thinking /read "
    "/plan /diff /canvas /interrupt /form /plan-editor /frontend-tool /state /hook /tasks /usage /mcp "
    "/compact /long /slow /tool-error /error /crash /unknown /huge /flood"
).split()


ANSWERS = {
    "permission_request": lambda data: {
        "type": "permission_response",
        "behavior": "allow",
        "updated_input": {**data["tool_input"], "command": "npm run other"},
        "updated_permissions": data["suggestions"],
    },
    "question_request": lambda data: {
        "type": "question_response",
        "answers": {q["question"]: q["options"][0]["label"] for q in data["questions"]},
    },
    "hook_request": lambda data: {"type": "hook_response", "decision": {}},
    "tool_call_request": lambda data: {"type": "tool_call_response", "output": "done"},
    "interrupt": lambda data: {"type": "interrupt_response", "value": {}},
}


def answer(client, session_id, type, data):
    id = {name: data[name] for name in ("correlation_id", "interrupt_id") if name in data}
    if type == "tool_call_request":
        client.command(session_id, "tool_call_claim", claim_id="check", **id)
    client.command(session_id, **ANSWERS[type](data), **id)


def differences(ours, theirs, path=""):
    if isinstance(ours, dict) and isinstance(theirs, dict):
        for name in sorted(ours.keys() | theirs.keys()):
            ours_value, theirs_value = ours.get(name, "absent"), theirs.get(name, "absent")
            yield from differences(ours_value, theirs_value, f"{path}/{name}")
    elif isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        for index, pair in enumerate(zip(ours, theirs)):
            yield from differences(*pair, f"{path}/{index}")
    elif ours != theirs:
        yield f"{path}: {str(ours)[:300]} where the server has {str(theirs)[:300]}"


def check(client, words):
    """Sends all of it at once, so that messages wait, and compares wherever a snapshot was taken."""
    session_id = client.create()["session_id"]
    for word in words:
        client.send(session_id, word)
    state, snapshot, finished, found = new_state(), client.snapshot(session_id), 0, []
    for event in client.follow(session_id):
        fold(state, event)
        if state["seq"] > snapshot["seq"]:
            snapshot = client.snapshot(session_id)
        if state["seq"] == snapshot["seq"]:
            lines = differences(state, snapshot["state"])
            found = [f"{' '.join(words)}, seq {state['seq']}: {line}" for line in lines]
        finished += event["type"] == "done"
        if found or (finished == len(words) and state["seq"] == snapshot["seq"]):
            break
        if event["type"] in ANSWERS:
            answer(client, session_id, event["type"], event["data"])
    client.delete(session_id)
    return found


def main():
    client = Client(os.environ["TURNWIRE_URL"], os.environ["TURNWIRE_TOKEN"])
    words = sys.argv[1:] or WORDS
    found = [line for word in words for line in check(client, [word])] + check(client, words)
    sys.exit("\n".join(found) or 0)


if __name__ == "__main__":
    main()
