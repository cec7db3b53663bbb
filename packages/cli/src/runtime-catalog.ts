import {
  createClaudeRuntime,
  createDemoRuntime,
  type ProcessRegistry,
  type Runtime,
} from "@turnwire/server";

/** The runtimes that this version has built in; the registry remembers the processes they start. */
export function createRuntimes(registry?: ProcessRegistry): readonly Runtime[] {
  const claude = createClaudeRuntime({ warmProcesses: 1, ...(registry && { registry }) });
  return [createDemoRuntime(), claude];
}

/** A runtime that a later version will have, and what it will need. */
export interface PlannedRuntime {
  readonly name: string;
  readonly label: string;
  /** Any of these variables will do. */
  readonly variables: readonly string[];
  /** The program that a person may have logged in with. */
  readonly program: string;
  /** Files that program keeps its login in, within the home directory or the variable's directory. */
  readonly loginFiles: readonly {
    readonly variable: string;
    readonly home: string;
    readonly file: string;
  }[];
}

export const plannedRuntimes: readonly PlannedRuntime[] = [
  {
    name: "codex",
    label: "Codex",
    variables: ["OPENAI_API_KEY", "CODEX_API_KEY"],
    program: "codex",
    loginFiles: [{ variable: "CODEX_HOME", home: ".codex", file: "auth.json" }],
  },
];
