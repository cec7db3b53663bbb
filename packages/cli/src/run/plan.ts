import type { Budget } from "@turnwire/protocol";

/** Who looks at the work, and how it is held. */
export interface Reviewer {
  readonly runtime: string;
  readonly model: string | undefined;
  readonly policyMode: string | undefined;
}

/** What all turns of a run may use together; an absent limit does not limit. */
export type RunLimits = Budget;

/** What a run is to do, apart from where and with which agent. */
export interface RunPlan {
  readonly task: string;
  /** The last line with which the agent reports that it is done; undefined: one turn is enough. */
  readonly until: string | undefined;
  readonly review: Reviewer | undefined;
  /** Every turn gets a session of its own. */
  readonly isFresh: boolean;
  /** The working agent answers in the form of a schema. */
  readonly isStructured: boolean;
  /** How often the agent may work. */
  readonly maxIterations: number;
}

/** Whether there may be more than one turn. */
export function isLoop({ until, review }: RunPlan): boolean {
  return until !== undefined || review !== undefined;
}
