import { gate, text, thinking } from "@turnwire/conformance/anthropic-standin";
import type { JsonObject } from "@turnwire/protocol";
import { isIdle } from "../recording.ts";
import { atGate, isOf, type Scripts } from "./script.ts";

/** A person who interrupts or throws something in. */
export const interjectionRecordings: Scripts = {
  "interrupt-text": {
    play: async (recording) => {
      await atGate(recording, "SCENARIO:hold middle", () => recording.interrupt());
      await recording.turn("hello");
    },
  },
  "interrupt-tool": {
    play: async (recording) => {
      recording.send('SCENARIO:tool node -e "setTimeout(() => {}, 20000)"');
      await recording.until(isOf("system", "task_started"));
      await recording.interrupt();
      await recording.until(isIdle);
    },
  },
  "interrupt-pending": {
    options: { onAsk: never },
    play: async (recording) => {
      recording.send("SCENARIO:tool touch a.txt");
      await recording.until(isOf("turnwire/ask"));
      await recording.interrupt();
      await recording.until(isIdle);
    },
  },
  "interrupt-thinking": {
    options: {
      standin: {
        scenarios: { ponder: () => [thinking("Hm. "), gate("pondering"), text("Never said.")] },
      },
    },
    play: async (recording) => {
      recording.send("SCENARIO:ponder");
      await recording.until((message) => JSON.stringify(message).includes("thinking_delta"));
      await recording.interrupt();
      await recording.until(isIdle);
    },
  },
  "steer-queued": {
    play: (recording) =>
      atGate(recording, "SCENARIO:hold middle", async () => {
        recording.steer("second");
        recording.steer("third");
        await recording.until(isQueued(3));
        recording.standin.release("middle");
      }),
  },
  "steer-folded": {
    play: async (recording) => {
      recording.send("SCENARIO:tool sleep 1");
      await recording.until(isOf("assistant"));
      recording.steer("mind the gap");
      await recording.until(isIdle);
    },
  },
  "steer-now": {
    play: (recording) =>
      atGate(recording, "SCENARIO:hold middle", () => recording.steer("stop", { priority: "now" })),
  },
};

/** True of the message that says that so many inputs were queued. */
function isQueued(count: number): (message: JsonObject) => boolean {
  const queued = new Set<unknown>();
  return (message) => {
    if (message["type"] === "command_lifecycle" && message["state"] === "queued") {
      queued.add(message["command_uuid"]);
    }
    return queued.size >= count;
  };
}

function never(): Promise<never> {
  return new Promise(() => undefined);
}
