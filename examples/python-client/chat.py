"""A chat in the terminal: say something, see the answer as it comes, decide what the agent may do."""

import argparse
import os
import sys

from fold import fold, new_state
from turnwire import Client, ConnectionFailed, WireError


class Chat:
    def __init__(self, client, session_id):
        self.client = client
        self.session_id = session_id
        self.state = new_state()
        self.events = client.follow(session_id)
        self.asked = set()

    def catch_up(self):
        """Reads what the log has already, and shows what was said."""
        head = self.client.show(self.session_id)["head"]
        while self.state["seq"] < head:
            self.read_event()
        for message in self.state["messages"]:
            blocks = message["content" if message["role"] == "user" else "blocks"]
            text = "".join(block["text"] for block in blocks if block["type"] == "text")
            print(f"{'> ' if message['role'] == 'user' else ''}{text}")

    def read_event(self):
        event = next(self.events, None)
        if event is None:
            sys.exit("The session was deleted.")
        if event["type"] == "gap":
            self.state = event["data"]["state"]
        else:
            fold(self.state, event)
        return event

    def say(self, text):
        self.read_until_idle(self.client.send(self.session_id, text)["seq"])

    def stop(self):
        """Stops the turn. What Ctrl-C broke off may have been the reading, so that starts again."""
        self.events = self.client.follow(self.session_id, self.state["seq"])
        self.read_until_idle(self.client.interrupt(self.session_id)["seq"])

    def read_until_idle(self, seq):
        """Shows events, at least up to `seq`, until no turn runs and no message waits."""
        while self.state["seq"] < seq or self.state["turn"] or self.state["queue"]:
            event = self.read_event()
            self.show(event["type"], event["data"])
            for id, request in list(self.state["requests"].items()):
                if id not in self.asked:
                    self.asked.add(id)
                    self.answer(id, request)
        print()

    def show(self, type, data):
        if type == "delta":
            print(data["text"], end="", flush=True)
        elif type == "tool_start":
            print(f"\n[{data['tool']}] {data.get('command') or data.get('file_path') or ''}")
        elif type == "tool_result":
            print(f"[{'failed' if data['is_error'] else 'ok'}] {str(data['output'])[:200]}")
        elif type in ("notice", "error"):
            print(f"\n[{type}] {data.get('text') or data.get('message')}")

    def answer(self, correlation_id, request):
        data = request["data"]
        try:
            if request["type"] == "permission_request":
                print(f"\n{data['tool_name']} {data['tool_input']}")
                behavior = "allow" if input("Allow it? y/n ").strip() == "y" else "deny"
                self.client.answer_permission(self.session_id, correlation_id, behavior)
            elif request["type"] == "question_request":
                answers = {question["question"]: ask(question) for question in data["questions"]}
                self.client.answer_question(self.session_id, correlation_id, answers)
            else:
                print(f"\n[{request['type']}] This chat cannot answer it. Ctrl-C stops the turn.")
        except WireError as error:
            if error.code != "already_resolved":  # Another client was faster.
                raise


def ask(question):
    print(f"\n{question['question']}")
    labels = [option["label"] for option in question["options"]]
    for number, label in enumerate(labels, 1):
        print(f"  {number} {label}")
    text = input("Your answer: ").strip()
    is_number = text.isdigit() and 1 <= int(text) <= len(labels)
    answer = labels[int(text) - 1] if is_number else text
    return [answer] if question.get("multi_select") else answer


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--session", help="continue this session instead of making one")
    options = parser.parse_args()
    url = os.environ.get("TURNWIRE_URL", "http://127.0.0.1:4747")
    client = Client(url, os.environ["TURNWIRE_TOKEN"])
    session_id = options.session or client.create()["session_id"]
    print(f"Session {session_id}. Ctrl-C stops a turn, Ctrl-D ends the chat.")
    chat = Chat(client, session_id)
    chat.catch_up()
    while True:
        text = input("> ").strip()
        try:
            if text:
                chat.say(text)
        except KeyboardInterrupt:
            chat.stop()


if __name__ == "__main__":
    try:
        main()
    except (EOFError, KeyboardInterrupt):
        print()
    except (WireError, ConnectionFailed) as error:
        sys.exit(f"chat: {error}")
