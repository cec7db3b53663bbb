const scenarioMark = /SCENARIO:([\w-]+)[ \t]*([^\n]*)/g;

/** The input of a scenario, from a prompt and its place in the conversation. */
export interface CallMark {
  readonly prompt: string;
  /** How often the model has answered since the prompt. */
  readonly round: number;
  /** Distinguishes sessions and their sub-agents. */
  readonly speaker: string;
}

/** The scenario of the mark in a prompt, and how often this very call was made before. */
export interface Opened<Scenario> {
  readonly scenario: Scenario | undefined;
  readonly argument: string;
  readonly attempt: number;
}

/** The scenarios that a stand-in knows, and how often each call of theirs was made. */
export class ScenarioBook<Scenario> {
  readonly #scenarios: Map<string, Scenario>;
  readonly #attempts = new Map<string, number>();

  constructor(scenarios: Readonly<Record<string, Scenario>>) {
    this.#scenarios = new Map(Object.entries(scenarios));
  }

  add(name: string, scenario: Scenario): void {
    this.#scenarios.set(name, scenario);
  }

  /** Finds the scenario that a prompt names with `SCENARIO:<name> <argument>`. */
  open({ prompt, round, speaker }: CallMark): Opened<Scenario> {
    // Earlier ones are only retold.
    const [, name = "", argument = ""] = [...prompt.matchAll(scenarioMark)].at(-1) ?? [];
    const attempt = this.#countAttempt(`${speaker} ${round} ${prompt}`);
    return { scenario: this.#scenarios.get(name), argument: argument.trim(), attempt };
  }

  #countAttempt(key: string): number {
    const attempt = this.#attempts.get(key) ?? 0;
    this.#attempts.set(key, attempt + 1);
    return attempt;
  }
}
