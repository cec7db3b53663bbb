import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ending } from "../test-support/agent-session.ts";
import {
  longCommand,
  processesOf,
  processesWith,
  useCodexPlace,
} from "./test-support/codex-place.ts";
import { expectToGoOn, lostTurn, planCrash, restart } from "./test-support/crash-life.ts";
import { killServerAt } from "./test-support/doomed-server.ts";

const place = useCodexPlace();

describe.runIf(process.platform === "linux")("a server that is killed", () => {
  test("in the middle of an answer of codex leaves no agent, and the next one continues", async () => {
    const [runtime, mode, type] = ["codex", "auto", "delta"] as const;
    const gate = `killed-${runtime}`;
    const doomed = await planCrash(place, { runtime, mode, second: `SCENARIO:hold ${gate}` });
    await killServerAt(doomed, type, () => place.standin.reached(gate));
    const own = await restart(place, doomed);
    expect(await processesOf(place.home.path)).toEqual([]);
    expect(ending(await lostTurn(own))).toMatchObject({ isStopped: false, done: 1 });
    await expectToGoOn(place, own);
  });

  test("while a command of codex-exec runs leaves no command either", async () => {
    const [runtime, mode, words] = ["codex-exec", "workspace-write", longCommand()] as const;
    const doomed = await planCrash(place, { runtime, mode, second: `SCENARIO:tool ${words}` });
    await killServerAt(doomed, "turn_started", async () => {
      await expect.poll(() => processesWith(words)).not.toEqual([]);
    });
    const own = await restart(place, doomed);
    expect(await processesWith(words)).toEqual([]);
    expect(await processesOf(place.home.path)).toEqual([]);
    expect(ending(await lostTurn(own))).toMatchObject({ isStopped: false, done: 1 });
    await expectToGoOn(place, own);
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
