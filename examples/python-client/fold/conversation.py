"""The general rules of §8: which message and which list of blocks an event belongs to."""


def present(data, names):
    """The fields of these names that are there."""
    return {name: data[name] for name in names if name in data}


def attach(target, event, prefix="", replaced=()):
    """Gives the event's attachments to the object that takes over its data (rule 2)."""
    earlier = target.pop("attachments", [])
    kept = [a for a in earlier if a["path"].split("/")[1] not in replaced]
    added = [{**a, "path": prefix + a["path"]} for a in event.get("attachments", [])]
    if kept or added:
        target["attachments"] = kept + added


INPUT_FACTS = ("command", "file_path", "pattern", "search_path")


def edit_input(tool, original, updated):
    """A fact that repeats a member of the first input follows that member."""
    members = original.items() if isinstance(original, dict) else ()
    for fact in INPUT_FACTS:
        name = next((n for n, v in members if fact in tool and v == tool[fact]), None)
        if name is None:
            continue
        value = updated.get(name) if isinstance(updated, dict) else None
        if isinstance(value, str):
            tool[fact] = value
        else:
            del tool[fact]
    tool["input"] = updated


def index_of(items, last=False, **fields):
    """The index of the first item, or the last, that has these values."""
    order = range(len(items))
    for index in reversed(order) if last else order:
        if all(items[index].get(name) == value for name, value in fields.items()):
            return index
    return None


def close_last(state):
    last = state["messages"][-1] if state["messages"] else None
    if last and last["role"] == "agent":
        last["done"] = True


def turn_of(state, event):
    if event["type"] in ("result", "done"):
        return event["data"]["turn_id"]
    return event.get("turn_id") or (state["turn"] or {}).get("turn_id")


def turn_messages(state, turn_id):
    """The agent's messages of a turn."""
    messages = state["messages"]
    return [m for m in messages if m["role"] == "agent" and m.get("turn_id") == turn_id]


def event_message(state, event):
    """The message of an event (rule 3), made if need be."""
    messages, turn_id = state["messages"], turn_of(state, event)
    last = messages[-1] if messages else None
    if last and last["role"] == "agent" and not last["done"] and last.get("turn_id") == turn_id:
        return last
    message = {"role": "agent", "id": f"agent-{event['seq']}", "seq": event["seq"]}
    message.update(ts=event["ts"], blocks=[], done=False)
    if turn_id is not None:
        message["turn_id"] = turn_id
    if turn_id != (state["turn"] or {}).get("turn_id"):
        index = index_of(messages, last=True, turn_id=turn_id)
        if index is not None:
            if messages[index]["role"] == "agent":
                return messages[index]
            messages.insert(index + 1, {**message, "done": True})
            return messages[index + 1]
    close_last(state)
    messages.append(message)
    return message


def block_list(state, event):
    """The list that the event's blocks belong to (rule 4)."""
    if "subagent_id" not in event:
        return event_message(state, event)["blocks"]
    subagent = find_block(state, type="subagent", subagent_id=event["subagent_id"])
    if subagent is None:
        subagent = new_subagent(event, event["subagent_id"], "sub-agent")
        subagent = push(event_message(state, event)["blocks"], event, subagent)
    return subagent["blocks"]


def new_subagent(event, subagent_id, name):
    block = {"type": "subagent", "subagent_id": subagent_id, "name": name, "status": "running"}
    return {**block, "tool_calls": 0, "file_changes": 0, "blocks": [], "started_at": event["ts"]}


def push(blocks, event, block, index=None):
    """Adds a block with a key of its own (rule 5), at the end or at `index`."""
    index = len(blocks) if index is None else index
    if index > 0 and blocks[index - 1]["type"] == "thinking":
        blocks[index - 1]["done"] = True
    block["key"] = next(event["keys"])
    blocks.insert(index, block)
    return block


def agent_blocks(blocks):
    """All blocks from the last to the first, those inside of sub-agents too."""
    for block in reversed(blocks):
        yield block
        if block["type"] == "subagent":
            yield from agent_blocks(block["blocks"])


def find_block(state, **fields):
    """The newest block with these values (rule 6)."""
    for message in reversed(state["messages"]):
        for block in agent_blocks(message.get("blocks", [])):
            if all(block.get(name) == value for name, value in fields.items()):
                return block
    return None
