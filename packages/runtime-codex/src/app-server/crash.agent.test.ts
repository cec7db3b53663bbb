import { describe, expect, test } from "vitest";
import { useCodexPlace } from "../test-support/codex-place.ts";
import { loseAnswer, loseCommand } from "../test-support/crash-life.ts";

const place = useCodexPlace();

describe.runIf(process.platform === "linux")("a server that is killed", () => {
  test("in the middle of an answer of codex-exec leaves no agent, and the next one continues", async () => {
    const lost = await loseAnswer(place, {
      runtime: "codex-exec",
      mode: "workspace-write",
      type: "turn_started",
    });
    expect(lost).toMatchObject({ isStopped: false, done: 1 });
  });

  test("while a command of codex runs leaves no command either", async () => {
    const lost = await loseCommand(place, { runtime: "codex", mode: "auto" });
    expect(lost).toMatchObject({ isStopped: false, done: 1 });
  });
});
