import type { Logger } from "@turnwire/base";
import { onTestFinished } from "vitest";

const mostLines = 60;

/** A logger whose last lines are shown where the test fails. */
export function recordingLogger(): Logger {
  const lines: string[] = [];
  const add =
    (level: string): Logger["info"] =>
    (facts, message) => {
      lines.push(`${level} ${message} ${JSON.stringify(facts)}`.slice(0, 500));
      if (lines.length > mostLines) lines.shift();
    };
  onTestFinished(({ task }) => {
    if (task.result?.state === "fail") console.log(["Log of the server:", ...lines].join("\n  "));
  });
  return { debug: () => undefined, info: add("info"), warn: add("warn"), error: add("error") };
}
