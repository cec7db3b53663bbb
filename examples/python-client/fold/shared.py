"""The shared state with its JSON Patches (RFC 6902), and the figures beside the conversation."""

import copy


def state_snapshot(state, event, data):
    state["shared"] = data["state"]
    count_version(state, data)


def state_delta(state, event, data):
    try:
        state["shared"] = patched(state["shared"], data["patches"])
    except PATCH_ERRORS:
        pass  # All or none: a patch that does not apply changes nothing.
    count_version(state, data)


def count_version(state, data):
    """Logs from before there were versions have none: there each change counts one."""
    state["shared_version"] = data.get("version", state["shared_version"] + 1)


def catalog_updated(state, event, data):
    entries = {entry["name"]: entry for entry in state["catalog"] + data["entries"]}
    state["catalog"] = list(entries.values())


PATCH_ERRORS = (LookupError, ValueError, TypeError)


def patched(document, patches):
    holder = {"": copy.deepcopy(document)}
    for operation in patches:
        apply(holder, operation)
    return holder.get("")


def apply(holder, operation):
    kind, path = operation["op"], steps(operation["path"])
    if kind == "test":
        if not same(find(holder, path), operation["value"]):
            raise ValueError("the test failed")
    elif kind == "remove":
        take(holder, path)
    elif kind == "add":
        add(holder, path, copy.deepcopy(operation["value"]))
    elif kind == "replace":
        take(holder, path)
        add(holder, path, copy.deepcopy(operation["value"]))
    elif kind == "copy":
        add(holder, path, copy.deepcopy(find(holder, steps(operation["from"]))))
    elif kind == "move":
        origin = steps(operation["from"])
        if path[: len(origin)] == origin and path != origin:
            raise ValueError("a value cannot move into itself")
        add(holder, path, take(holder, origin))


def steps(pointer):
    """The document is the member "" of its holder, so a pointer's first, empty step names it."""
    return [step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")]


def find(value, path):
    for step in path:
        value = value[place_in(value, step)]
    return value


def place_in(container, step, length=None):
    if isinstance(container, dict):
        return step
    if not isinstance(container, list) or not (step == "0" or step.isdigit() and step[0] != "0"):
        raise ValueError(f"no member {step!r}")
    if int(step) >= (len(container) if length is None else length):
        raise LookupError(step)
    return int(step)


def take(holder, path):
    return find(holder, path[:-1]).pop(place_in(find(holder, path[:-1]), path[-1]))


def add(holder, path, value):
    container, step = find(holder, path[:-1]), path[-1]
    if isinstance(container, dict):
        container[step] = value
    elif isinstance(container, list) and step == "-":
        container.append(value)
    else:
        container.insert(place_in(container, step, len(container) + 1), value)


def same(one, other):
    """Equality of JSON: Python's own holds 1 and true equal."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[k], other[k]) for k in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return one == other


def usage(state, event, data):
    state["usage"].update(data)


def task(state, event, data):
    present = {name: value for name, value in data.items() if name != "usage"}
    state["tasks"].setdefault(data["task_id"], {}).update(present)


def mcp_status(state, event, data):
    state["mcp"][data["server_name"]] = data["status"]


def rate_limits(state, event, data):
    state["rate_limits"] = data["limits"]


def context_usage(state, event, data):
    state["context"] = data


EFFECTS = {
    "state_snapshot": state_snapshot,
    "state_delta": state_delta,
    "catalog_updated": catalog_updated,
    "usage": usage,
    "rate_limits": rate_limits,
    "context_usage": context_usage,
    "task": task,
    "mcp_status": mcp_status,
}
