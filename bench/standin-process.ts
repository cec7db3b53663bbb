/** A stand-in for a model in a process of its own, so that its work is not counted as the server's. */
import { startAnthropicStandin } from "@turnwire/conformance/anthropic-standin";
import { startOpenaiStandin } from "@turnwire/conformance/openai-standin";
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const standins = { anthropic: startAnthropicStandin, openai: startOpenaiStandin };

export type StandinName = keyof typeof standins;

export interface StandinProcess {
  readonly url: string;
  close(): void;
}

const file = fileURLToPath(import.meta.url);

if (process.argv[1] === file) {
  // `startStandinProcess` is the only one to start this file.
  const start = standins[process.argv[2] as StandinName];
  const standin = await start();
  process.send?.(standin.url);
  process.once("disconnect", () => process.exit(0));
}

export async function startStandinProcess(name: StandinName): Promise<StandinProcess> {
  const child: ChildProcess = fork(file, [name]);
  const [url] = await once(child, "message");
  return { url: String(url), close: () => child.disconnect() };
}
