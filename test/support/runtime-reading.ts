import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { TransportName } from "@turnwire/client";
import { expect, onTestFinished } from "vitest";
import { breaks, bundle, play, readingOptions, replay, setStage } from "./reading-stage.ts";
import type { Reading } from "./session-reading.ts";

export interface JavaScriptRuntime {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  readonly transport: TransportName;
}

/** The client in a runtime reads a whole session, though connections break and the server dies in mid-turn. */
export async function readInRuntime({
  name,
  command: [path, ...options],
  transport,
}: JavaScriptRuntime): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "turnwire-runtime-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const program = join(directory, "session-reading.mjs");
  await writeFile(program, await bundle("session-reading-main.ts"));
  const stage = await setStage({ directory }, ...breaks);
  const asked = JSON.stringify(readingOptions(stage, transport));
  const [{ stdout }] = await Promise.all([
    promisify(execFile)(path, [...options, program, asked], { maxBuffer: 64 * 1024 * 1024 }),
    play(stage),
  ]);
  const reading: Reading = JSON.parse(stdout);
  expect(reading.runtime).toBe(name);
  expect(stage.proxy.upgradeCount > 0).toBe(transport === "websocket");
  expect(reading).toEqual(await replay(stage, reading));
}
