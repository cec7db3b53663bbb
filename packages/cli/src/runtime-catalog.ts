import { defined, type Logger } from "@turnwire/base";
import {
  type CodexRuntimeOptions,
  createClaudeRuntime,
  createCodexExecRuntime,
  createCodexRuntime,
  createDemoRuntime,
  type ProcessRegistry,
  type Runtime,
} from "@turnwire/server";
import { join } from "node:path";

/** Where the runtimes are to run. */
export interface RuntimePlace {
  readonly dataDirectory: string;
  readonly env: NodeJS.ProcessEnv;
  /** Remembers the processes they start. */
  readonly registry?: ProcessRegistry;
  /** Gets what they write to stderr. */
  readonly logger?: Logger;
}

/** The runtimes that this version has built in. */
export function createRuntimes(place: RuntimePlace): readonly Runtime[] {
  const { registry, logger } = place;
  const shared = defined({ registry, logger });
  const codex = codexOptions(place);
  return [
    createDemoRuntime(),
    createClaudeRuntime({ warmProcesses: 1, ...shared }),
    createCodexRuntime(codex),
    createCodexExecRuntime(codex),
  ];
}

/** Codex gets a home of its own, unless CODEX_HOME names the one to share. */
function codexOptions({ dataDirectory, env, registry, logger }: RuntimePlace): CodexRuntimeOptions {
  const shared = env["CODEX_HOME"];
  return {
    home: shared || join(dataDirectory, "codex"),
    isHomeShared: Boolean(shared),
    ...defined({ registry, logger }),
  };
}
