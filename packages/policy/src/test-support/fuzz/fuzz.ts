import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { evaluateCommand } from "../../evaluate.ts";
import { entries, realPath } from "../../file-system.ts";
import type { Containment } from "../../judge.ts";
import { defaultPolicy } from "../../policy.ts";
import { createRandom } from "../random-script.ts";
import { randomCommand } from "./command-grammar.ts";
import { differences } from "./difference.ts";
import { type HostileProject, uncommitted } from "./hostile-project.ts";
import { runRecorded } from "./recording-sandbox.ts";

export interface FuzzOptions {
  readonly project: HostileProject;
  readonly evaluate: typeof evaluateCommand;
  readonly containment: Containment;
  readonly seed: number;
  /** Commands that are generated; those that are allowed are run. */
  readonly count: number;
  /** Commands that come before those that are generated. */
  readonly kept?: readonly string[];
  /** Ends the search. */
  readonly isEnough?: (found: readonly Difference[]) => boolean;
}

/** A command that did what its verdict does not allow. */
export interface Difference {
  readonly mode: "planner" | "implementation";
  readonly command: string;
  readonly effects: readonly string[];
}

export interface FuzzResult {
  readonly allowed: number;
  readonly judged: number;
  readonly found: readonly Difference[];
}

const mayDoAnything = /^(?:project_code|install)$/;
/** Whether git alone took away what was not committed; a stash keeps it. */
async function hasLostWork(command: string, { app }: HostileProject): Promise<boolean> {
  if (!/^git (?!.*(?:[;&|\n]|stash|\bmv\b))/s.test(command)) return false;
  const text = await readFile(join(app, "b.txt"), "utf8").catch(() => "");
  return text !== uncommitted;
}

const modes = ["planner", "implementation"] as const;

/** Runs what the reader allows, and compares what it did with what the mode promises. */
export async function fuzz(options: FuzzOptions): Promise<FuzzResult> {
  const { project, evaluate, containment, seed, count, kept = [], isEnough } = options;
  const { base, app } = project;
  const random = createRandom(seed);
  const policy = defaultPolicy();
  const facts = { cwd: app, roots: [app], home: `${base}/home`, realPath, entries };
  const hidesSecrets = containment === "kernel";
  const found: Difference[] = [];
  const seen = new Set<string>();
  let allowed = 0;
  let judged = 0;
  for (let index = 0; index < kept.length + count; index += 1) {
    const command = kept[index] ?? randomCommand(random);
    if (seen.has(command)) continue;
    seen.add(command);
    for (const mode of modes) {
      judged += 1;
      const { verdict, judgements } = evaluate(command, { policy, mode, facts, containment });
      // Code of the project may do anything in a mode that runs it.
      if (verdict !== "allow" || judgements.some(({ rule }) => mayDoAnything.test(rule))) continue;
      allowed += 1;
      const recording = await runRecorded(command, project, { hidesSecrets });
      const effects = differences(recording, project, { mode, hidesSecrets });
      const lost = (await hasLostWork(command, project)) ? ["it discarded work"] : [];
      const all = [...effects, ...lost];
      if (all.length > 0) found.push({ mode, command, effects: all });
      if (
        recording.effects.some(
          ({ type, path }) => type === "write" && !/^\/(?:dev|proc)\//.test(path),
        )
      ) {
        await project.reset();
      }
      if (isEnough?.(found) === true) return { allowed, judged, found };
      // An implementer is allowed no less, and held to less.
      if (mode === "planner") break;
    }
  }
  return { allowed, judged, found };
}
