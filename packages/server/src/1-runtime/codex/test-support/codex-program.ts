import { spawn } from "node:child_process";
import { once } from "node:events";
import { codexBinary } from "../binary.ts";
import { childEnvironment } from "../../environment.ts";
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

const exec = ["exec", "--json", "--skip-git-repo-check", "--sandbox", "workspace-write"];

/** A thread that `codex exec` makes with these prompts; answers with its id. */
export async function execThread(
  place: CodexPlace,
  first: string,
  ...further: string[]
): Promise<string> {
  const written = await runCodex(place, ...exec, first);
  const [, threadId = ""] = /"thread_id":"([^"]+)"/.exec(written) ?? [];
  for (const prompt of further) await runCodex(place, ...exec, "resume", threadId, prompt);
  return threadId;
}
