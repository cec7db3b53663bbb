"""Asks a person in a session and waits for the answer: python3 approval.py SESSION_ID"""

import sys

from session_ui import SessionUi


def main(session_id):
    ui = SessionUi(session_id)
    answer = ui.ask(
        "deploy-1",
        "approval",
        "chat",
        action="Deploy to production",
        details="Three services, no migration.",
        options=["approve", "reject", "modify"],
    )
    print(f"answer: {answer}")


if __name__ == "__main__":
    main(sys.argv[1])
