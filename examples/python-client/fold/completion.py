"""`message_complete`: adds the text that deltas did not deliver, or takes all of it back."""

from .conversation import block_list, find_block, push, turn_messages, turn_of


def message_complete(state, event, data):
    message_id = data["message_id"]
    lists = lists_of(state, event)
    if data.get("retracted"):
        for blocks in lists:
            blocks[:] = [block for block in blocks if not is_part(block, message_id)]
        return
    parts = data["message"]["content"]
    whole = "".join(part["text"] for part in parts if part["type"] == "text")
    delivered = "".join(b["text"] for blocks in lists for b in texts_of(blocks, message_id))
    if whole in delivered or (delivered and text_attachments(event)):
        return
    known = len(delivered) if whole.startswith(delivered) else 0
    having = [blocks for blocks in lists if texts_of(blocks, message_id)]
    blocks = having[-1] if having else block_list(state, event)
    for index, part in enumerate(parts):
        if part["type"] == "text":
            rest, is_begun = part["text"][known:], known > 0
            known = max(0, known - len(part["text"]))
            if rest:
                add_text(blocks, event, (index, rest, is_begun))


def add_text(blocks, event, text):
    part_index, rest, is_begun = text
    message_id, parts = event["data"]["message_id"], event["data"]["message"]["content"]
    at = len(blocks)
    if is_begun:
        at = blocks.index(texts_of(blocks, message_id)[-1]) + 1
    else:
        later = [part.get("id") for part in parts[part_index + 1 :] if part["type"] == "tool_use"]
        for index, block in enumerate(blocks):
            if block["type"] in ("tool", "subagent") and tool_id(block) in later:
                at = index
                break
    attachments = text_attachments(event).get(part_index)
    before = blocks[at - 1] if at > 0 else {}
    block = {"type": "text", "message_id": message_id, "text": rest}
    if attachments:
        block["attachments"] = attachments
    elif texts_of([before], message_id) and "attachments" not in before:
        before["text"] += rest
        next(event["keys"])  # A text that joins another one uses up a key, too.
        return
    push(blocks, event, block, at)


def lists_of(state, event):
    if "subagent_id" not in event:
        return [message["blocks"] for message in turn_messages(state, turn_of(state, event))]
    subagent = find_block(state, type="subagent", subagent_id=event["subagent_id"])
    return [subagent["blocks"]] if subagent else []


def is_part(block, message_id):
    return block["type"] in ("text", "thinking") and block["message_id"] == message_id


def texts_of(blocks, message_id):
    return [b for b in blocks if b.get("type") == "text" and b["message_id"] == message_id]


def tool_id(block):
    return block["tool_use_id"] if block["type"] == "tool" else block["subagent_id"]


def text_attachments(event):
    """The attachments of texts, by the index of their part."""
    found = {}
    for attachment in event.get("attachments", []):
        steps = attachment["path"].split("/")
        if steps[1:3] == ["message", "content"] and steps[4:] == ["text"]:
            found[int(steps[3])] = [{**attachment, "path": "/text"}]
    return found


EFFECTS = {"message_complete": message_complete}
