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
  test("in the middle of an answer of codex-exec leaves no agent, and the next one continues", async () => {
    const [runtime, mode, type] = ["codex-exec", "workspace-write", "turn_started"] as const;
    const gate = `killed-${runtime}`;
    const doomed = await planCrash(place, { runtime, mode, second: `SCENARIO:hold ${gate}` });
    await killServerAt(doomed, type, () => place.standin.reached(gate));
    const own = await restart(place, doomed);
    expect(await processesOf(place.home.path)).toEqual([]);
    expect(ending(await lostTurn(own))).toMatchObject({ isStopped: false, done: 1 });
    await expectToGoOn(place, own);
  });

  test("while a command of codex runs leaves no command either", async () => {
    const [runtime, mode, words] = ["codex", "auto", longCommand()] as const;
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
});
