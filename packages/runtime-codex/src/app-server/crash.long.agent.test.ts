import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ending } from "../../../runtime/src/test-support/agent-session.ts";
import { useCodexPlace } from "../test-support/codex-place.ts";
import {
  loseAnswer,
  loseCommand,
  expectToGoOn,
  lostTurn,
  planCrash,
  restart,
} from "../test-support/crash-life.ts";
import { killServerAt } from "../test-support/doomed-server.ts";

const place = useCodexPlace();

describe.runIf(process.platform === "linux")("a server that is killed", () => {
  test("in the middle of an answer of codex leaves no agent, and the next one continues", async () => {
    const lost = await loseAnswer(place, { runtime: "codex", mode: "auto", type: "delta" });
    expect(lost).toMatchObject({ isStopped: false, done: 1 });
  });

  test("while a command of codex-exec runs leaves no command either", async () => {
    const lost = await loseCommand(place, { runtime: "codex-exec", mode: "workspace-write" });
    expect(lost).toMatchObject({ isStopped: false, done: 1 });
  });

  test("while a person is asked ends the request, and nothing was done", async () => {
    const second = "SCENARIO:tool touch never.txt";
    const doomed = await planCrash(place, { mode: "default", second });
    await killServerAt(doomed, "permission_request", async () => undefined);
    const own = await restart(place, doomed);
    const events = await lostTurn(own);
    expect(events).toContainEqual(
      expect.objectContaining({
        type: "permission_resolved",
        data: expect.objectContaining({ outcome: "orphaned" }),
      }),
    );
    expect(ending(events).done).toBe(1);
    await expectToGoOn(place, own);
    expect(existsSync(join(place.cwd, "never.txt"))).toBe(false);
  });
});
