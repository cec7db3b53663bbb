"""Requests that people answer, and the components that an agent shows."""

from .conversation import attach, block_list, edit_input, find_block, index_of, present, push
from .shared import PATCH_ERRORS, patched

ENVELOPE = ("seq", "ts", "attachments", "turn_id", "subagent_id", "type", "data")
OUTCOMES = 1000


def id_of(kind, data):
    name = "interrupt_id" if kind == "interrupt" else "correlation_id"
    return name, data[name]


def request(kind):
    def effect(state, event, data):
        name, id = id_of(kind, data)
        block = {"type": kind, name: id, "status": "open", "request": data}
        attach(block, event, "/request")
        earlier = find_block(state, **{"type": kind, name: id}) if id in state["requests"] else None
        state["requests"][id] = present(event, ENVELOPE)
        if earlier:
            key = earlier["key"]
            earlier.clear()
            earlier.update(block, key=key)
        else:
            push(block_list(state, event), event, block)
        if data.get("surface", "chat") != "chat":
            component = {"component_id": f"interrupt-{id}", "name": data["component_name"]}
            component.update(surface=data["surface"], props=data["props"])
            attach(component, event)
            place(state["surfaces"][data["surface"]], component)

    return effect


def resolved(kind):
    def effect(state, event, data):
        name, id = id_of(kind, data)
        asked = state["requests"].pop(id, None)
        if asked is None:
            return
        state["outcomes"].pop(id, None)
        state["outcomes"][id] = data["outcome"]
        for oldest in list(state["outcomes"])[:-OUTCOMES]:
            del state["outcomes"][oldest]
        block = find_block(state, **{"type": kind, name: id})
        if block:
            block.update(status=data["outcome"], resolution=data)
            attach(block, event, "/resolution", replaced=("resolution",))
        if kind == "permission":
            settle_tool(state, asked, event, data)
        if kind == "interrupt":
            remove_component(state, f"interrupt-{id}")

    return effect


PERMISSION_FIELDS = ("correlation_id", "outcome", "allowed", "message", "updated_permissions", "by")


def settle_tool(state, asked, event, data):
    """The tool's block gets what came of the request; after an edit it has what ran."""
    id = asked["data"].get("tool_use_id")
    tool = find_block(state, type="tool", tool_use_id=id) if id is not None else None
    if tool is None:
        return
    tool["permission"] = present(data, PERMISSION_FIELDS)
    if not data["allowed"]:
        return
    tool["started_at"] = event["ts"]
    if "updated_input" not in data:
        return
    original, updated = asked["data"]["tool_input"], data["updated_input"]
    tool["permission"]["original_input"] = original
    edit_input(tool, original, updated)
    move_attachments(tool, asked, event)


def move_attachments(tool, asked, event):
    """Those of the first input go with it, those of the new one to the block's input."""
    kept = [
        attachment
        for attachment in tool.pop("attachments", [])
        if attachment["path"].split("/")[1] not in ("input", "permission")
    ]
    kept += within(event, "/updated_input", "/input")
    kept += within(asked, "/tool_input", "/permission/original_input")
    if kept:
        tool["attachments"] = kept


def within(event, part, prefix):
    return [
        {**attachment, "path": prefix + attachment["path"][len(part) :]}
        for attachment in event.get("attachments", [])
        if attachment["path"] == part or attachment["path"].startswith(part + "/")
    ]


def permission_granted(state, event, data):
    grants = state["session"].setdefault("grants", [])
    grants.append({**data, "granted_at": event["ts"]})


def permission_revoked(state, event, data):
    session = state["session"]
    grants = [g for g in session.pop("grants", []) if g["grant_id"] not in data["grant_ids"]]
    if grants:
        session["grants"] = grants


def tool_call_claimed(state, event, data):
    call = state["requests"].get(data["correlation_id"])
    if call:
        call["claim"] = present(data, ("claim_id", "expires_at", "by"))


def component_update(state, event, data):
    id, surface = data["component_id"], data["surface"]
    block = find_block(state, type="component", component_id=id)
    entries = [entry for listed in state["surfaces"].values() for entry in listed]
    index = index_of(entries, component_id=id)
    earlier = block or (entries[index] if index is not None else None)
    component = present(data, ("component_id", "name", "props"))
    if "patches" in data:
        if not earlier or not patch(component, earlier, data["patches"]):
            return
    else:
        attach(component, event)
        if data["merge"] and earlier:
            merge(component, earlier)
    if surface == "chat":
        names = ("tool_use_id",)
        component.update({"type": "component"}, **present({**(block or {}), **data}, names))
        if block:
            key = block["key"]
            block.clear()
            block.update(component, key=key)
        else:
            remove_component(state, id)
            push(block_list(state, event), event, component)
        return
    if index is None or entries[index]["surface"] != surface:
        remove_component(state, id)
    place(state["surfaces"][surface], {**component, "surface": surface})


def patch(component, earlier, patches):
    """False where the patches do not apply, or leave no object."""
    try:
        component["props"] = patched(earlier["props"], patches)
    except PATCH_ERRORS:
        return False
    changed = ["/props" + one["path"] for one in patches if one["op"] != "test"]
    attachments = [
        attachment
        for attachment in earlier.get("attachments", [])
        if not any((attachment["path"] + "/").startswith(path + "/") for path in changed)
    ]
    if attachments:
        component["attachments"] = attachments
    return isinstance(component["props"], dict)


def merge(component, earlier):
    """Properties that the new ones do not replace stay, with their attachments."""
    replaced = {"props/" + escaped(name) for name in component["props"]}
    attachments = [
        attachment
        for attachment in earlier.get("attachments", [])
        if "/".join(attachment["path"].split("/")[1:3]) not in replaced
    ] + component.get("attachments", [])
    component["props"] = {**earlier["props"], **component["props"]}
    if attachments:
        component["attachments"] = attachments


def escaped(name):
    """A name as a step of a JSON Pointer."""
    return name.replace("~", "~0").replace("/", "~1")


def place(components, component):
    index = index_of(components, component_id=component["component_id"])
    if index is None:
        components.append(component)
    else:
        components[index] = component


def component_remove(state, event, data):
    remove_component(state, data["component_id"])


def remove_component(state, component_id):
    for components in state["surfaces"].values():
        components[:] = [c for c in components if c["component_id"] != component_id]
    for message in state["messages"]:
        remove_block(message.get("blocks", []), component_id)


def remove_block(blocks, component_id):
    blocks[:] = [block for block in blocks if block.get("component_id") != component_id]
    for block in blocks:
        remove_block(block.get("blocks", []), component_id)


EFFECTS = {
    "permission_granted": permission_granted,
    "permission_revoked": permission_revoked,
    "tool_call_claimed": tool_call_claimed,
    "component_update": component_update,
    "component_remove": component_remove,
    "interrupt": request("interrupt"),
    "interrupt_resolved": resolved("interrupt"),
}
for kind in ("permission", "question", "hook", "tool_call", "budget"):
    EFFECTS[f"{kind}_request"] = request(kind)
    EFFECTS[f"{kind}_resolved"] = resolved(kind)
