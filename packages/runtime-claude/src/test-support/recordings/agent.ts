import { text, toolUse } from "@turnwire/conformance/anthropic-standin";
import { isIdle, isResult } from "../recording.ts";
import { isOf, type Scripts, turns } from "./script.ts";

/** Sub-agents, and what runs in the background. */
export const agentRecordings: Scripts = {
  "agent-foreground": {
    options: { sdk: { forwardSubagentText: true } },
    play: turns("SCENARIO:agent SCENARIO:tool touch sub.txt"),
  },
  "agent-background": { play: turns("SCENARIO:background-agent SCENARIO:tool touch sub.txt") },
  "agent-background-interrupted": {
    play: async (recording) => {
      recording.send("SCENARIO:background-agent SCENARIO:hold never");
      await recording.until(isResult);
      await recording.standin.reached("never");
      await recording.interrupt();
      await recording.until(isIdle);
    },
  },
  "agent-nested": {
    play: turns("SCENARIO:agent SCENARIO:agent SCENARIO:text deep down"),
  },
  "background-task": {
    options: {
      permissionMode: "acceptEdits",
      standin: {
        scenarios: {
          background: ({ round }) =>
            round === 0
              ? [
                  toolUse("Bash", {
                    command: "sleep 1",
                    description: "a nap",
                    run_in_background: true,
                  }),
                ]
              : [text(round === 1 ? "It sleeps." : "It woke up.")],
        },
      },
    },
    play: async (recording) => {
      await recording.turn("SCENARIO:background");
      const from = recording.length;
      await recording.until(isOf("system", "task_notification"));
      await recording.until(isIdle, from);
    },
  },
  "stop-task": {
    play: async (recording) => {
      recording.send("SCENARIO:background-agent SCENARIO:hold never");
      const { task_id: taskId } = await recording.until(isOf("system", "task_started"));
      await recording.until(isResult);
      await recording.standin.reached("never");
      await recording.query.stopTask(typeof taskId === "string" ? taskId : "");
      await recording.until(isIdle);
    },
  },
};
