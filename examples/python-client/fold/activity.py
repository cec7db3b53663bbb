"""What a status line shows."""

import re

from .conversation import turn_messages

LABEL_UNITS = 80


def activity(state):
    if state["session"]["is_closed"]:
        return {"kind": "idle", "label": "Idle"}
    if state["requests"]:
        return {"kind": "waiting", "label": "Waiting for you"}
    if state["turn"] is None and not state["queue"]:
        return {"kind": "idle", "label": "Idle"}
    thinking = {"kind": "thinking", "label": "Thinking"}
    if state["turn"] is None:
        return thinking
    for message in reversed(turn_messages(state, state["turn"]["turn_id"])):
        label = running_label(message["blocks"])
        if label:
            return {"kind": "tool", "label": label}
    last = state["messages"][-1] if state["messages"] else {"role": "user"}
    if last["role"] == "agent" and not last["done"] and last["blocks"]:
        if last["blocks"][-1]["type"] == "text":
            return {"kind": "writing", "label": "Writing"}
    return thinking


def running_label(blocks):
    for block in reversed(blocks):
        if block.get("status") not in ("running", "preparing"):
            continue
        if block["type"] == "subagent":
            return running_label(block["blocks"]) or shortened(f"Running {block['name']}")
        if block["type"] == "tool":
            return shortened(tool_label(block))
    return None


def tool_label(tool):
    if tool["status"] == "preparing":
        return f"Preparing {tool['tool']}"
    if "command" in tool:
        return f"Running {tool['command']}"
    if "file_path" in tool:
        return f"Running {tool['tool']} {tool['file_path']}"
    if "pattern" in tool:
        return f"Running {tool['tool']} \"{tool['pattern']}\""
    return f"Running {tool['tool']}"


def shortened(text):
    """The first line, at most 80 UTF-16 units with the `…` that stands for what was cut."""
    text = text.strip()
    line = re.split("[\n\r\u2028\u2029]", text)[0]
    units = line.encode("utf-16-le", "surrogatepass")
    if line == text and len(units) <= LABEL_UNITS * 2:
        return text
    return units[: LABEL_UNITS * 2 - 2].decode("utf-16-le", "ignore").rstrip() + "…"
