"""The state of a session, folded from its events by the rules of PROTOCOL.md §8."""

import itertools

from . import blocks, budget, completion, requests, shared, turns
from .activity import activity

EFFECTS = {
    **turns.EFFECTS,
    **blocks.EFFECTS,
    **completion.EFFECTS,
    **requests.EFFECTS,
    **shared.EFFECTS,
}


def new_state():
    session = {"session_id": "", "runtime": "", "status": "live", "is_closed": False}
    return {
        "seq": 0,
        "session": {**session, "capabilities": {}},
        "turn": None,
        "last_turn_id": None,
        "queue": [],
        "requests": {},
        "outcomes": {},
        "shared": {},
        "shared_version": 0,
        "catalog": [],
        "messages": [],
        "activity": {"kind": "idle", "label": "Idle"},
        "surfaces": {"sidebar": [], "panel": [], "overlay": [], "canvas": []},
        "tasks": {},
        "mcp": {},
        "usage": {"total_cost_usd": 0},
        "rate_limits": [],
        "context": None,
    }


def fold(state, event):
    """Applies one event to the state, in place. A type that it does not know changes nothing."""
    if event["seq"] <= state["seq"]:
        return
    state["seq"] = event["seq"]
    effect = EFFECTS.get(event["type"])
    if effect is not None:
        turn = state["turn"]
        effect(state, {**event, "keys": block_keys(event["seq"])}, event["data"])
        budget.count(state, event, turn)
        state["activity"] = activity(state)


def block_keys(seq):
    yield f"b{seq}"
    for number in itertools.count(1):
        yield f"b{seq}.{number}"
