/** The stand-in in a process of its own, so that what it remembers is not counted as the server's. */
import { startAnthropicStandin } from "@turnwire/conformance/anthropic-standin";
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const file = fileURLToPath(import.meta.url);

if (process.argv[1] === file) {
  const standin = await startAnthropicStandin();
  process.send?.(standin.url);
  process.once("disconnect", () => process.exit(0));
}

export interface StandinProcess {
  readonly url: string;
  close(): void;
}

export async function startStandinProcess(): Promise<StandinProcess> {
  const child: ChildProcess = fork(file);
  const [url] = await once(child, "message");
  return { url: String(url), close: () => child.disconnect() };
}
