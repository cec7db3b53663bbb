import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { TransportName } from "@turnwire/client";
import { onTestFinished } from "vitest";
import { breaks, bundle, play, readingOptions, replay, setStage } from "./reading-stage.ts";
import type { Reading } from "./session-reading.ts";

export interface JavaScriptRuntime {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  readonly transport: TransportName;
}

/**
 * What the client in a runtime has read of a whole session, though connections broke and the server
 * died in mid-turn, and what it should have.
 */
export async function readInRuntime({
  name,
  command: [path, ...options],
  transport,
}: JavaScriptRuntime): Promise<{ readonly found: unknown; readonly expected: unknown }> {
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
  const replayed = await replay(stage, reading);
  return {
    found: { ...reading, isWebSocket: stage.proxy.upgradeCount > 0 },
    expected: { ...replayed, runtime: name, isWebSocket: transport === "websocket" },
  };
}
