import { catalog, echo } from "./catalog.ts";
import type { ModelCall } from "./model-call.ts";
import { type Reply, type Scenario, text } from "./script.ts";

const scenarioMark = /SCENARIO:([\w-]+)[ \t]*([^\n]*)/;

/** The scenarios that a stand-in knows, and how often each call of theirs was made. */
export class Repertoire {
  readonly #scenarios: Map<string, Scenario>;
  readonly #attempts = new Map<string, number>();

  constructor(scenarios: Readonly<Record<string, Scenario>>) {
    this.#scenarios = new Map(Object.entries({ ...catalog, ...scenarios }));
  }

  add(name: string, scenario: Scenario): void {
    this.#scenarios.set(name, scenario);
  }

  /** The answer to a call; `speaker` tells sessions and their sub-agents apart. */
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
    const [, name = "", argument = ""] = scenarioMark.exec(prompt) ?? [];
    const attempt = this.#countAttempt(`${speaker} ${round} ${prompt}`);
    const told = { round, attempt, interjections, toolResults, planFile };
    const cue = { argument: argument.trim(), ...told };
    const scenario = this.#scenarios.get(name);
    return scenario ? scenario(cue) : echo({ ...cue, argument: prompt });
  }

  #countAttempt(key: string): number {
    const attempt = this.#attempts.get(key) ?? 0;
    this.#attempts.set(key, attempt + 1);
    return attempt;
  }
}
