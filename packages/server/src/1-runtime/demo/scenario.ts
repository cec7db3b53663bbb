import type { Script, Stage } from "./stage.ts";

/** One thing the demo agent can show: its name is what a person types. */
export interface Scenario {
  readonly name: string;
  readonly description: string;
  /** A whole message that runs it. */
  readonly example: string;
  readonly play: (stage: Stage) => Script;
}
