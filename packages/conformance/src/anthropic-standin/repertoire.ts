import { ScenarioBook } from "../standin/scenario-book.ts";
import { catalog, echo } from "./catalog.ts";
import type { ModelCall } from "./model-call.ts";
import { type Reply, type Scenario, text } from "./script.ts";

/** The answers of a stand-in to each kind of call. */
export class Repertoire {
  readonly #book: ScenarioBook<Scenario>;

  constructor(scenarios: Readonly<Record<string, Scenario>>) {
    this.#book = new ScenarioBook({ ...catalog, ...scenarios });
  }

  add(name: string, scenario: Scenario): void {
    this.#book.add(name, scenario);
  }

  /** The answer to a call; `speaker` distinguishes sessions and their sub-agents. */
  reply(call: ModelCall, speaker: string): Reply {
    switch (call.purpose) {
      case "title":
        return [text(JSON.stringify({ title: "A session with the stand-in" }))];
      case "summary":
        return [text("<summary>What was said so far.</summary>")];
      case "suggestion":
        return [text("go on")];
      case "probe":
        return [text("Hi")];
      case "turn":
        return this.#play(call, speaker);
    }
  }

  #play(call: ModelCall, speaker: string): Reply {
    const { prompt, round, interjections, toolResults, planFile } = call;
    const { scenario, argument, attempt } = this.#book.open({ prompt, round, speaker });
    const cue = { argument, round, attempt, interjections, toolResults, planFile };
    return scenario ? scenario(cue) : echo({ ...cue, argument: prompt });
  }
}
