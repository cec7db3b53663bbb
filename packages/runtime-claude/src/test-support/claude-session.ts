import { createMemoryStore } from "@turnwire/log";
import { SessionHost } from "../../../server/src/3-host/session-host.ts";
import type { SessionHostOptions } from "../../../server/src/3-host/creation/session-host-options.ts";
import type { ClaudeRuntimeOptions } from "../sdk/runtime-options.ts";
import type { ClaudePlace } from "./claude-place.ts";

export {
  AgentSession as ClaudeSession,
  ending,
  spoken,
} from "../../../runtime/src/test-support/agent-session.ts";

export type TestHost = SessionHost & { readonly errors: unknown[] };

/** A host whose sessions run Claude against the place's stand-in. */
export function openClaudeHost(
  place: ClaudePlace,
  runtime: ClaudeRuntimeOptions = {},
  options: Partial<SessionHostOptions> = {},
): SessionHost {
  return new SessionHost({
    store: createMemoryStore(),
    runtimes: [place.createRuntime(runtime)],
    defaultRuntime: "claude",
    roots: [place.cwd],
    ...options,
  });
}
