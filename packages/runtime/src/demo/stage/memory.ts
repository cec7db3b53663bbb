import { randomUUID } from "node:crypto";
import type { Surface } from "@turnwire/protocol";

/** What the demo agent knows beyond one turn. It is gone with the run: nothing is on disk. */
export interface Memory {
  /** Turns it remembers. */
  turns: number;
  /** Woken up, so there were turns that it does not remember. */
  readonly isResumed: boolean;
  model: string;
  /** Null: the default. */
  effort: string | null;
  permissionMode: string;
  /** Tools a person allowed once and for all. */
  allowedTools: ReadonlySet<string>;
  /** Background tasks that run; aborting stops one. */
  readonly tasks: Map<string, AbortController>;
  /** Components on screen, by id, so that their buttons can be answered. */
  readonly components: Map<string, { name: string; surface: Surface; clicks: number }>;
}

/** An id that no run makes up twice, so that a resumed session never sees one again. */
export function newId(kind: string): string {
  return `${kind}_${randomUUID().replaceAll("-", "").slice(0, 16)}`;
}
