"""The client as the program that `turnwire-check-client` asks for: a call per line, an answer per line."""

import json
import os
import sys

from turnwire import Client, WireError

REQUESTS = ("permission", "question", "hook", "tool_call")


def follow(client, session_id, after, until):
    outcome = {"seq": after, "counts": {}, "texts": {}, "tools": {}, "requests": {}, "turns": []}
    for event in client.follow(session_id, after):
        if event["type"] == "gap":
            return {"error": {"code": "cursor_gone"}}
        note(outcome, event["type"], event["data"])
        outcome["seq"] = event["seq"]
        if outcome["counts"].get(until["type"], 0) >= until["count"]:
            break
    return outcome


def note(outcome, type, data):
    texts, requests = outcome["texts"], outcome["requests"]
    outcome["counts"][type] = outcome["counts"].get(type, 0) + 1
    if type == "delta" and data["text"]:
        texts[data["message_id"]] = texts.get(data["message_id"], "") + data["text"]
    elif type == "message_complete":
        parts = data["message"]["content"]
        whole = "".join(part["text"] for part in parts if part.get("type") == "text")
        if data.get("retracted"):
            texts.pop(data["message_id"], None)
        elif whole:
            texts.setdefault(data["message_id"], whole)
    elif type == "tool_start":
        outcome["tools"][data["tool_use_id"]] = "running"
    elif type == "tool_result":
        outcome["tools"][data["tool_use_id"]] = "error" if data["is_error"] else "ok"
    elif type == "interrupt":
        requests[data["interrupt_id"]] = "open"
    elif type == "interrupt_resolved":
        requests[data["interrupt_id"]] = data["outcome"]
    elif type in [f"{kind}_request" for kind in REQUESTS]:
        requests[data["correlation_id"]] = "open"
    elif type in [f"{kind}_resolved" for kind in REQUESTS]:
        requests[data["correlation_id"]] = data["outcome"]
    elif type == "turn_started":
        turn = {"turn_id": data["turn_id"], "subtype": None, "is_done": False}
        outcome["turns"].append(turn)
    elif type in ("result", "done"):
        for turn in outcome["turns"]:
            if turn["turn_id"] == data["turn_id"]:
                turn.update({"is_done": True} if type == "done" else {"subtype": data["subtype"]})


def perform(client, call):
    session_id = call["session_id"]
    if call["do"] == "create":
        return {"session_id": client.create(session_id=session_id)["session_id"]}
    if call["do"] == "send":
        answer = client.send(session_id, call["text"], call["client_message_id"])
        duplicate = answer.get("duplicate", False)
        return {"seq": answer["seq"], "message_id": answer["message_id"], "duplicate": duplicate}
    if call["do"] == "respond":
        answer = client.answer_permission(session_id, call["correlation_id"], call["behavior"])
        return {"seq": answer["seq"]}
    return follow(client, session_id, call["after"], call["until"])


def main():
    client = Client(os.environ["TURNWIRE_URL"], os.environ["TURNWIRE_TOKEN"])
    for line in sys.stdin:
        try:
            answer = perform(client, json.loads(line))
        except WireError as error:
            answer = {"error": {"code": error.code}}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
