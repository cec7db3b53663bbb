"""Events about the session, its queue and its turns."""

from .budget import allow
from .conversation import (
    agent_blocks,
    attach,
    close_last,
    event_message,
    index_of,
    present,
    push,
    turn_messages,
)

SESSION_FIELDS = (
    "session_id",
    "runtime",
    "status",
    "capabilities",
    "title",
    "model",
    "effort",
    "permission_mode",
    "policy_mode",
    "cwd",
    "worktree",
    "provider_session_id",
    "account",
    "sandbox",
    "configuration",
)
QUEUE_FIELDS = (
    "message_id",
    "client_message_id",
    "content",
    "delivery",
    "context",
    "callback",
    "review",
    "is_unattended",
    "by",
)
MESSAGE_FIELDS = (
    "seq",
    "ts",
    "content",
    "delivery",
    "client_message_id",
    "callback",
    "by",
    "attachments",
)


def session_ready(state, event, data):
    allow(state["session"], data)
    state["session"].update(present(data, SESSION_FIELDS), status="live")
    state["catalog"] = data.get("catalog", state["catalog"])


def session_updated(state, event, data):
    allow(state["session"], data)
    state["session"].update(present(data, SESSION_FIELDS))
    for name in ("model", "effort", "policy_mode"):
        if state["session"].get(name, "") is None:
            del state["session"][name]


def session_closed(state, event, data):
    state["session"]["is_closed"] = True


def user_message(state, event, data):
    waiting = present(data, QUEUE_FIELDS)
    attach(waiting, event)
    waiting.update(seq=event["seq"], ts=event["ts"])
    if data["delivery"] == "turn":
        state["queue"].insert(0, waiting)
    elif data["delivery"] == "queue":
        state["queue"].append(waiting)
    if data["delivery"] != "queue":
        running = state["turn"] if data["delivery"] == "steer" else None
        append_user_message(state, waiting, event.get("turn_id") or (running or {}).get("turn_id"))


def append_user_message(state, waiting, turn_id):
    close_last(state)
    message = {"role": "user", "id": waiting["message_id"]}
    message.update(present(waiting, MESSAGE_FIELDS))
    if turn_id:
        message["turn_id"] = turn_id
    state["messages"].append(message)


def message_deferred(state, event, data):
    user_message(state, event, {**data, "delivery": "queue"})
    remove_user_message(state, data["message_id"])


def message_cancelled(state, event, data):
    index = index_of(state["queue"], message_id=data["message_id"])
    if index is not None:
        del state["queue"][index]
        remove_user_message(state, data["message_id"])


def remove_user_message(state, message_id):
    index = index_of(state["messages"], id=message_id)
    if index is not None:
        del state["messages"][index]


def turn_started(state, event, data):
    state["turn"] = {**present(data, ("turn_id", "message_id")), "started_at": event["ts"]}
    state["last_turn_id"] = data["turn_id"]
    close_last(state)
    queued = index_of(state["queue"], message_id=data.get("message_id"))
    waiting = None if queued is None else state["queue"].pop(queued)
    if waiting and waiting.get("is_unattended"):
        state["turn"]["is_unattended"] = True
    shown = index_of(state["messages"], id=data.get("message_id"))
    if shown is not None:
        state["messages"][shown]["turn_id"] = data["turn_id"]
    elif waiting is not None:
        append_user_message(state, waiting, data["turn_id"])


def result(state, event, data):
    if "subagent_id" in event:
        return
    blocks = [b for m in turn_messages(state, data["turn_id"]) for b in m["blocks"]]
    has_text = any(block["type"] == "text" and block["text"] for block in blocks)
    message = event_message(state, event)
    if data.get("text") and not has_text:
        block = {"type": "text", "message_id": f"result-{data['turn_id']}", "text": data["text"]}
        attach(block, event)
        push(message["blocks"], event, block)
    message["result"] = data


def done(state, event, data):
    if state["turn"] and state["turn"]["turn_id"] == data["turn_id"]:
        state["turn"] = None
    if data.get("stopped"):
        event_message(state, event)["stopped"] = True
    for message in turn_messages(state, data["turn_id"]):
        message.update(done=True, ended_at=event["ts"])
        for block in agent_blocks(message["blocks"]):
            if block["type"] == "thinking":
                block["done"] = True
            elif block["type"] in ("tool", "subagent"):
                if block["status"] in ("preparing", "running"):
                    block["status"] = "abandoned"


def rolled_back(state, event, data):
    state["last_turn_id"] = None
    first = index_of(state["messages"], turn_id=data["turn_id"])
    if first is not None:
        waiting = {message["message_id"] for message in state["queue"]}
        undone = state["messages"][first:]
        kept = [m for m in undone if m["role"] == "user" and m["id"] in waiting]
        state["messages"][first:] = kept


EFFECTS = {
    "session_ready": session_ready,
    "session_updated": session_updated,
    "session_closed": session_closed,
    "user_message": user_message,
    "message_deferred": message_deferred,
    "message_cancelled": message_cancelled,
    "turn_started": turn_started,
    "result": result,
    "done": done,
    "rolled_back": rolled_back,
}
