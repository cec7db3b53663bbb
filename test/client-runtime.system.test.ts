import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  breaks,
  bundle,
  play,
  readingOptions,
  replay,
  setStage,
  timeout,
} from "./support/reading-stage.ts";
import { runtimeProgram } from "./support/runtime-program.ts";
import type { Reading } from "./support/session-reading.ts";

const run = promisify(execFile);
let directory: string;
let program: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "turnwire-runtime-"));
  program = join(directory, "session-reading.mjs");
  await writeFile(program, await bundle("session-reading-main.ts"));
});

afterAll(() => rm(directory, { recursive: true, force: true }));

/** How each runtime is started; asked only in its own test, for one may be missing. */
const commands: Record<string, () => readonly [string, ...string[]]> = {
  node: () => [process.execPath],
  bun: () => [runtimeProgram("bun"), "run"],
  deno: () => [runtimeProgram("deno"), "run", "--allow-all", "--no-config"],
};

/** Node 20 has no WebSocket of its own. */
const runs = Object.entries(commands).flatMap(([name, command]) =>
  (name === "node" ? (["auto"] as const) : (["auto", "websocket"] as const)).map((transport) => ({
    name,
    command,
    transport,
  })),
);

describe("the client through cuts and a server that dies in mid-turn", { timeout }, () => {
  test.each(runs)("in $name with transport $transport", async ({ name, command, transport }) => {
    const [path, ...options] = command();
    const stage = await setStage({ directory }, ...breaks);
    const asked = JSON.stringify(readingOptions(stage, transport));
    const [{ stdout }] = await Promise.all([
      run(path, [...options, program, asked], {
        maxBuffer: 64 * 1024 * 1024,
        timeout,
      }),
      play(stage),
    ]);
    const reading: Reading = JSON.parse(stdout);
    expect(reading.runtime).toBe(name);
    expect(stage.proxy.upgradeCount > 0).toBe(transport === "websocket");
    expect(reading).toEqual(await replay(stage, reading));
  });
});
