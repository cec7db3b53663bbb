"""A graph in the style of LangGraph whose nodes are seen in a session: python3 graph_node.py SESSION_ID

A node is a plain function from the graph's state to the keys that it changes, so what `shown` makes
of it goes into LangGraph as it is: `graph.add_node("plan", shown(ui, "plan", plan))`.
"""

import sys

from session_ui import SessionUi


def shown(ui, name, node):
    """The node, with its progress as a component and what it returns in the shared state."""

    def run(state):
        ui.show(name, "progress", "sidebar", title=name, note="running")
        try:
            changed = node(state)
        except Exception as error:
            ui.update(name, note=f"failed: {error}")
            raise
        ui.patch_state(lambda _: with_members(changed))
        ui.update(name, percent=100, note="done")
        return changed

    return run


def with_members(members):
    return [
        {"op": "add", "path": "/" + name.replace("~", "~0").replace("/", "~1"), "value": value}
        for name, value in members.items()
    ]


def plan(state):
    return {"steps": [f"Read about {state['topic']}", "Write it up"]}


def write(state):
    return {"text": f"{len(state['steps'])} steps on {state['topic']}"}


def main(session_id):
    ui = SessionUi(session_id)
    state = {"topic": "tides"}
    # LangGraph would call the nodes along its edges; here they follow one another.
    for name, node in {"plan": plan, "write": write}.items():
        state = {**state, **shown(ui, name, node)(state)}
    print(state["text"])


if __name__ == "__main__":
    main(sys.argv[1])
