import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { codexBinary } from "../setting/binary.ts";
import { childEnvironment } from "@turnwire/runtime/process";
import type { CodexPlace } from "./codex-place.ts";

/** Runs Codex's own program in the place, as a person would in a terminal; answers with what it wrote. */
export async function runCodex(place: CodexPlace, ...args: string[]): Promise<string> {
  const child = spawn(codexBinary(), args, {
    cwd: place.cwd,
    env: childEnvironment(["PATH"], place.home.env),
    stdio: ["ignore", "pipe", "pipe"],
  });
  let written = "";
  child.stdout.on("data", (chunk) => (written += chunk));
  child.stderr.on("data", (chunk) => (written += chunk));
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`codex ${args.join(" ")} ended with code ${code}: ${written}`);
  return written;
}

/** Takes away the file that Codex keeps a thread in, as a person might who tidies up. */
export async function loseThread(place: CodexPlace, threadId: string): Promise<void> {
  const sessions = join(place.home.path, "sessions");
  const names = await readdir(sessions, { recursive: true });
  const own = names.filter((name) => name.includes(threadId));
  if (own.length === 0) throw new Error(`Codex keeps no thread ${threadId} in ${sessions}.`);
  for (const name of own) await rm(join(sessions, name));
}

const exec = ["exec", "--json", "--skip-git-repo-check", "--sandbox", "workspace-write"];

/** A thread that `codex exec` makes with these prompts; answers with its id. */
export async function execThread(
  place: CodexPlace,
  first: string,
  ...further: string[]
): Promise<string> {
  const written = await runCodex(place, ...exec, first);
  const [, threadId = ""] = /"thread_id":"([^"]+)"/.exec(written) ?? [];
  for (const prompt of further) await continueThread(place, threadId, prompt);
  return threadId;
}

/** Says something in a thread by `codex exec resume`. */
export async function continueThread(
  place: CodexPlace,
  threadId: string,
  prompt: string,
): Promise<void> {
  await runCodex(place, ...exec, "resume", threadId, prompt);
}
