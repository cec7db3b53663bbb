import { tmpdir } from "node:os";
import { detach, ignore } from "@turnwire/base";
import { KnownCatalog } from "@turnwire/runtime/ui-tool";
import { endAgent, startAgent, untilReady } from "./agent.ts";
import type { AgentIntroduction } from "./capabilities.ts";
import type { ClaudeRuntimeOptions } from "./runtime-options.ts";
import { loadSdk } from "../setting/sdk.ts";

/** Starts a CLI, reads how it introduces itself and ends it; nothing is sent to a model. */
export async function probeClaude(
  options: ClaudeRuntimeOptions,
  signal: AbortSignal,
): Promise<AgentIntroduction> {
  const sdk = await loadSdk();
  signal.throwIfAborted();
  const agent = startAgent({
    sdk,
    // What a person or a project has configured may run commands: it has no business here.
    runtime: { ...options, settingSources: [], hookEvents: [] },
    run: { sessionId: "probe", cwd: tmpdir() },
    position: undefined,
    known: new KnownCatalog(),
    emit: () => undefined,
    taken: async () => undefined,
  });
  const end = (): void => detach(endAgent(agent), ignore);
  signal.addEventListener("abort", end);
  try {
    await untilReady(agent, options.startMs ?? 60_000, false);
    return await agent.query.initializationResult();
  } finally {
    signal.removeEventListener("abort", end);
    await endAgent(agent);
  }
}
