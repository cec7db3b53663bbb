import type { JsonValue } from "@turnwire/protocol";
import type { Scenario } from "./scenario.ts";

export const form: Scenario = {
  name: "form",
  description: "Asks for a few values with a form above the conversation",
  example: "/form",
  async *play(stage) {
    yield* stage.say("I need a few details for the release.\n\n");
    const { value } = yield* stage.askWithComponent({
      name: "form",
      surface: "overlay",
      props: {
        title: "Prepare a release",
        schema: {
          type: "object",
          properties: {
            version: { type: "string", title: "Version", default: "1.4.0" },
            channel: { type: "string", title: "Channel", enum: ["stable", "beta"] },
            notes: { type: "string", title: "Notes", format: "multiline" },
            announce: { type: "boolean", title: "Announce it", default: true },
          },
          required: ["version"],
        },
        submit_label: "Prepare",
      },
    });
    yield* stage.say(`Thank you. I got:\n\n\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``);
  },
};

export const planEditor: Scenario = {
  name: "plan-editor",
  description: "Puts a plan into the panel that you can change before it is carried out",
  example: "/plan-editor",
  async *play(stage) {
    yield* stage.say("This is how I would do it. Change what you like.\n\n");
    const { value } = yield* stage.askWithComponent({
      name: "plan_editor",
      surface: "panel",
      props: {
        title: "Move the store to SQLite",
        steps: [
          { text: "Write the contract as tests" },
          { text: "Put the new store behind it" },
          { text: "Move what is there" },
        ],
      },
    });
    const steps = stepsOf(value);
    yield* stage.say(
      steps.length > 0
        ? `I begin with “${steps[0]}”. Steps in all: ${steps.length}.`
        : "Then I leave everything as it is.",
    );
  },
};

/** The texts of a plan that a person let pass. */
function stepsOf(value: JsonValue): string[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  if (value.approved !== true || !Array.isArray(value.steps)) return [];
  return value.steps.flatMap((step) =>
    typeof step === "object" && step !== null && "text" in step && typeof step.text === "string"
      ? [step.text]
      : [],
  );
}

export const canvas: Scenario = {
  name: "canvas",
  description: "A report on the canvas: a table to sort, a chart and a diff",
  example: "/canvas",
  async *play(stage) {
    yield* stage.say("The report is on the canvas.\n\n");
    yield* stage.show({
      id: "demo-report-table",
      name: "table",
      surface: "canvas",
      props: {
        title: "Slowest tests",
        columns: ["Test", "Runs", "Seconds"],
        rows: [
          ["store › resumes after a crash", 48, 3.2],
          ["page › keeps its place", 120, 1.9],
          ["follow › survives any cut", 36, 5.4],
          ["greet › trims the name", 210, 0.1],
        ],
      },
      merge: false,
    });
    yield* stage.show({
      id: "demo-report-chart",
      name: "chart",
      surface: "canvas",
      props: {
        title: "Seconds of the suite, by day",
        kind: "line",
        labels: ["Mon", "Tue", "Wed", "Thu", "Fri"],
        data: [94, 88, 91, 73, 61],
      },
      merge: false,
    });
    const unified = `diff --git a/src/follow.ts b/src/follow.ts
--- a/src/follow.ts
+++ b/src/follow.ts
@@ -1,3 +1,3 @@
 export function follow(log: Log) {
-  return poll(log, 1000);
+  return log.subscribe();
 }
`;
    yield* stage.show({
      id: "demo-report-diff",
      name: "diff",
      surface: "canvas",
      props: { title: "What made it faster", unified },
      merge: false,
    });
    yield* stage.say("Sort the table as you like; the change below it made the difference.");
  },
};
