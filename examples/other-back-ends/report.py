"""Shows a table in a session, counts in its shared state: python3 report.py SESSION_ID"""

import sys

from session_ui import SessionUi

FILES = {"README.md": 120, "server.py": 340, "test_server.py": 95}


def main(session_id):
    ui = SessionUi(session_id)
    ui.show("files", "table", "panel", title="Files", columns=["file", "lines"], rows=[])
    rows = []
    for name, lines in FILES.items():
        rows.append([name, lines])
        ui.update("files", rows=rows)
        ui.patch_state(counted)


def counted(state):
    return [{"op": "add", "path": "/files", "value": state.get("files", 0) + 1}]


if __name__ == "__main__":
    main(sys.argv[1])
