import type { Script } from "../stage/script.ts";
import type { DemoStage } from "../stage/stage.ts";

/** One thing the demo agent can show. Its name is what a person types. */
export interface Scenario {
  readonly name: string;
  readonly description: string;
  /** A whole message that plays it. */
  readonly example: string;
  readonly play: (stage: DemoStage) => Script;
}
