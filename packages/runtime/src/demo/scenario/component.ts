import type { JsonValue } from "@turnwire/protocol";
import { newId } from "../stage/memory.ts";
import type { Scenario } from "./scenario.ts";

export const components: Scenario = {
  name: "components",
  description: "A table in the chat, progress in the sidebar, a chart in the panel",
  example: "/components",
  async *play(stage) {
    yield* stage.say("A table, right here:\n\n");
    yield* stage.show({
      id: newId("table"),
      name: "table",
      surface: "chat",
      props: {
        title: "Largest files",
        columns: ["File", "Lines"],
        rows: [
          ["src/server.ts", 812],
          ["src/store.ts", 431],
        ],
        actions: ["refresh"],
      },
      merge: false,
    });
    const progress = { id: "demo-progress", name: "progress", surface: "sidebar" } as const;
    yield* stage.show({ ...progress, props: { title: "Indexing", percent: 0 }, merge: false });
    for (const percent of [25, 50, 75, 100]) {
      yield* stage.show({ ...progress, props: { percent }, merge: true });
    }
    yield* stage.show({
      id: "demo-chart",
      name: "chart",
      surface: "panel",
      props: { title: "Lines per week", kind: "bar", data: [12, 30, 21, 44] },
      merge: false,
    });
    yield* stage.remove(progress.id);
    yield* stage.say("Indexing is done, so its progress is gone; the chart stays in the panel.");
  },
};

export const interrupt: Scenario = {
  name: "interrupt",
  description: "Shows an approval and waits for it",
  example: "/interrupt",
  async *play(stage) {
    yield* stage.say("This needs your approval.\n\n");
    const { value } = yield* stage.askWithComponent({
      name: "approval",
      surface: "chat",
      props: {
        action: "Deploy to production",
        details: "Version 1.4.0, three changes since the last one.",
        options: ["approve", "reject"],
      },
    });
    yield* stage.say(isApproval(value) ? "Approved: I would deploy now." : "Then not today.");
  },
};

function isApproval(value: JsonValue): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return value === true || value === "approve";
  }
  return value.approved === true || value.choice === "approve";
}

export const state: Scenario = {
  name: "state",
  description: "A to-do list that you and the agent share and both change",
  example: "/state",
  async *play(stage) {
    yield* stage.say("Here is a list that we share.\n\n");
    const todos = [
      { text: "Write the test", done: false },
      { text: "Make it pass", done: false },
    ];
    yield* stage.send({ type: "state", state: { title: "Today", todos, open: 2 } });
    yield* stage.send(
      {
        type: "state_change",
        patches: [
          { op: "replace", path: "/todos/0/done", value: true },
          { op: "add", path: "/todos/-", value: { text: "Tidy up", done: false } },
        ],
      },
      10,
    );
    yield* stage.say("I did the first and added one. Change it too: I keep `open` right.");
  },
};
