"""Events that become blocks of the agent's messages: text, thoughts, tools, plans, notices."""

from datetime import datetime, timedelta

from .conversation import (
    attach,
    block_list,
    edit_input,
    find_block,
    index_of,
    new_subagent,
    present,
    push,
)

TOOL_FIELDS = ("tool", "ui_tool", "input", "command")
TOOL_FIELDS += ("file_path", "pattern", "search_path", "is_file_read")
RESULT_FIELDS = ("output", "exit_code", "file_path", "is_file_read", "duration_ms", "diff")
STREAMED_UNITS = 512 * 1024
KEPT_UNITS = 256 * 1024


def compacted(state, event, data):
    text = "The conversation was compacted"
    if "tokens_before" in data and "tokens_after" in data:
        text += f" ({data['tokens_before']} → {data['tokens_after']} tokens)"
    push(block_list(state, event), event, {"type": "notice", "level": "info", "text": text})


def delta(state, event, data):
    if not data["text"]:
        return
    blocks = block_list(state, event)
    last = blocks[-1] if blocks else {"type": None}
    if last["type"] == "text" and last["message_id"] == data["message_id"]:
        if "attachments" not in last:
            last["text"] += data["text"]
            return
    push(blocks, event, {"type": "text", **present(data, ("message_id", "text"))})


def thinking(state, event, data):
    message_id, is_done = data["message_id"], data.get("done", False)
    if not data["text"] and is_done:
        block = find_block(state, type="thinking", message_id=message_id, done=False)
        if block:
            block["done"] = True
        return
    blocks = block_list(state, event)
    last = blocks[-1] if blocks else {"type": None}
    if last["type"] == "thinking" and last["message_id"] == message_id and not last["done"]:
        last["text"] += data["text"]
        last["done"] = is_done
    else:
        block = {"message_id": message_id, "text": data["text"], "done": is_done}
        push(blocks, event, {"type": "thinking", **block})


def tool_input_delta(state, event, data):
    blocks = block_list(state, event)
    index = index_of(blocks, last=True, type="tool", tool_use_id=data["tool_use_id"])
    if index is None:
        tool = new_tool(data, "preparing")
        push(blocks, event, {**tool, "partial_input": data["partial_json"]})
    elif blocks[index]["status"] == "preparing":
        before = blocks[index].get("partial_input", "")
        blocks[index]["partial_input"] = before + data["partial_json"]


def tool_start(state, event, data):
    blocks = block_list(state, event)
    index = index_of(blocks, last=True, type="tool", tool_use_id=data["tool_use_id"])
    if data.get("subagent_spawn"):
        name = data.get("subagent_name", data["tool"])
        block = find_block(state, type="subagent", subagent_id=data["tool_use_id"])
        if block:
            block["name"] = name
        else:
            block = new_subagent(event, data["tool_use_id"], name)
            source = data if index is None else blocks[index]
            block.update(present(source, ("message_id",)))
            if index is None:
                push(blocks, event, block)
            else:
                blocks[index] = {**block, **present(blocks[index], ("key", "policy"))}
    else:
        if index is None:
            push(blocks, event, new_tool(data, "running"))
            index = len(blocks) - 1
        tool = blocks[index]
        tool.pop("partial_input", None)
        original = tool.get("permission", {}).get("original_input")
        edited = tool.get("input")
        tool.update(present(data, TOOL_FIELDS))
        if original is not None:
            edit_input(tool, original, edited)
        if tool["status"] == "preparing":
            tool["status"] = "running"
        tool.setdefault("started_at", event["ts"])
        attach(tool, event, replaced=present(data, TOOL_FIELDS))
    count(state, event)


def policy_decision(state, event, data):
    """Belongs to a tool or the sub-agent that it starts; may come before either."""
    tool_use_id = data.get("tool_use_id")
    if tool_use_id is None:
        return
    block = find_block(state, type="tool", tool_use_id=tool_use_id)
    block = block or find_block(state, type="subagent", subagent_id=tool_use_id)
    if block is None:
        block = new_tool(data, "preparing")
        push(block_list(state, event), event, block)
    block["policy"] = {k: v for k, v in data.items() if k not in ("tool_use_id", "tool")}


def new_tool(data, status):
    names = {"tool_use_id": data["tool_use_id"], "tool": data["tool"]}
    names.update(present(data, ("message_id", "ui_tool")))
    return {"type": "tool", **names, "status": status, "streamed": ""}


def tool_output(state, event, data):
    tool = find_block(state, type="tool", tool_use_id=data["tool_use_id"])
    if tool:
        tool["streamed"] = newest(tool["streamed"] + data["text"])


def newest(text):
    """A text of more than 512 Ki UTF-16 units is cut to its newest 256 Ki."""
    if len(text) * 2 <= STREAMED_UNITS:
        return text
    units = text.encode("utf-16-le", "surrogatepass")
    if len(units) <= STREAMED_UNITS * 2:
        return text
    units = units[-KEPT_UNITS * 2 :]
    if 0xDC <= units[1] <= 0xDF:
        units = units[2:]
    return "…" + units.decode("utf-16-le", "surrogatepass")


def tool_result(state, event, data):
    block = find_block(state, tool_use_id=data["tool_use_id"], type="tool")
    subagent = find_block(state, subagent_id=data["tool_use_id"], type="subagent")
    if block:
        elapsed = time_between(block.get("started_at"), event["ts"])
        if elapsed is not None:
            block["duration_ms"] = elapsed
        block.update(present(data, RESULT_FIELDS))
        block["status"] = "failed" if data["is_error"] else "done"
        attach(block, event, replaced=RESULT_FIELDS)
    elif subagent:
        subagent.update(output=data["output"], completed_at=event["ts"])
        subagent["status"] = "failed" if data["is_error"] else "completed"
        attach(subagent, event, replaced=("output",))
    count(state, event)


def time_between(start, end):
    """In milliseconds; None where a time is not known."""
    if not start or not end:
        return None
    times = [datetime.fromisoformat(time.replace("Z", "+00:00")) for time in (start, end)]
    return max(0, (times[1] - times[0]) // timedelta(milliseconds=1))


def count(state, event):
    subagent = find_block(state, type="subagent", subagent_id=event.get("subagent_id"))
    if "subagent_id" not in event or subagent is None:
        return
    tools = [block for block in subagent["blocks"] if block["type"] == "tool"]
    subagents = sum(block["type"] == "subagent" for block in subagent["blocks"])
    started = sum(tool["status"] != "preparing" for tool in tools)
    changes = [t for t in tools if t["status"] == "done" and t.get("file_path") is not None]
    subagent["tool_calls"] = started + subagents
    subagent["file_changes"] = sum(tool.get("is_file_read") is not True for tool in changes)


def replace_of_turn(state, event, data):
    """A plan or a diff replaces the earlier one."""
    blocks = block_list(state, event)
    block = {"type": event["type"], **data}
    attach(block, event)
    index = index_of(blocks, type=event["type"])
    if index is None:
        push(blocks, event, block)
    else:
        blocks[index] = {**block, "key": blocks[index]["key"]}


def push_as_it_is(state, event, data):
    block = {"type": event["type"], **data}
    attach(block, event)
    push(block_list(state, event), event, block)


def notice(state, event, data):
    """One with the id of the notice right before it takes its place."""
    blocks = block_list(state, event)
    last = blocks[-1] if blocks else {"type": None}
    if last["type"] == "notice" and last.get("notice_id", "") == data.get("notice_id"):
        block = {"type": "notice", **data, "key": last["key"]}
        attach(block, event)
        blocks[-1] = block
    else:
        push_as_it_is(state, event, data)


EFFECTS = {
    "compacted": compacted,
    "delta": delta,
    "thinking": thinking,
    "tool_input_delta": tool_input_delta,
    "tool_start": tool_start,
    "tool_output": tool_output,
    "tool_result": tool_result,
    "policy_decision": policy_decision,
    "plan": replace_of_turn,
    "diff": replace_of_turn,
    "notice": notice,
    "error": push_as_it_is,
}
