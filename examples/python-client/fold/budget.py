"""What a session has used of its budget."""

from datetime import datetime

COUNTING = {"session_updated", "turn_started", "result", "done", "message_complete"}
COUNTING |= {"tool_start", "tool_result", "interrupt", "interrupt_resolved", "usage", "error"}
for kind in ("permission", "question", "hook", "tool_call", "budget"):
    COUNTING |= {f"{kind}_request", f"{kind}_resolved"}


def allow(session, data):
    """New limits keep what was used; null takes both away."""
    if "budget" not in data:
        return
    budget = session.pop("budget", None)
    if data["budget"] is None:
        return
    budget = budget or {"used": {"tokens": 0, "cost_usd": 0, "worked_ms": 0, "turns": 0}}
    budget.pop("is_stopped", None)
    session["budget"] = {**budget, "allowed": data["budget"]}


def count(state, event, turn):
    """`turn` is the one that ran before the event."""
    budget = state["session"].get("budget")
    if budget is None:
        return
    kind, data = event["type"], event["data"]
    is_of_turn = turn is not None and turn["turn_id"] == data.get("turn_id")
    if kind == "turn_started":
        budget.pop("stopped_turn", None)
        budget.pop("turn", None)
    elif kind == "usage" and turn:
        share(budget, data.get("turn_tokens"), data.get("turn_cost_usd"))
    elif kind == "result" and is_of_turn:
        usage = data.get("usage", {})
        tokens = usage.get("input_tokens", 0) + usage.get("output_tokens", 0)
        reported = budget.get("turn", {}).get("tokens", 0)
        share(budget, max(tokens, reported), data.get("total_cost_usd"))
        if data["subtype"] == "budget_reached" and "stopped_turn" in budget:
            budget["stopped_turn"]["is_reported"] = True
    elif kind == "done" and is_of_turn:
        budget["used"]["turns"] += 1
        budget.pop("turn", None)
        if not budget.get("stopped_turn", {}).get("is_reported"):
            budget.pop("stopped_turn", None)
    elif kind == "budget_request" and state["turn"]:
        budget["stopped_turn"] = {"turn_id": state["turn"]["turn_id"]}
    elif kind == "budget_resolved" and data.get("decision") == "stop":
        budget["is_stopped"] = True
    elif kind == "rolled_back":
        budget.pop("stopped_turn", None)
    if kind in COUNTING:
        spend_time(state, budget, event)


def share(budget, tokens, cost):
    """What the running turn has used so far replaces what it had used before."""
    if tokens is None and cost is None:
        return
    used, before = budget["used"], budget.get("turn", {"tokens": 0, "cost_usd": 0})
    turn = {
        "tokens": before["tokens"] if tokens is None else tokens,
        "cost_usd": before["cost_usd"] if cost is None else cost,
    }
    for name in ("tokens", "cost_usd"):
        used[name] = used[name] - before[name] + turn[name]
    budget["turn"] = turn


def spend_time(state, budget, event):
    since = budget.pop("working_since", None)
    is_loss = event["type"] == "error" and event["data"]["code"] == "turn_lost"
    if since is not None and not is_loss:
        budget["used"]["worked_ms"] += max(0, milliseconds(event["ts"]) - milliseconds(since))
    if state["turn"] and not state["requests"]:
        budget["working_since"] = event["ts"]


def milliseconds(ts):
    return round(datetime.fromisoformat(ts.replace("Z", "+00:00")).timestamp() * 1000)
