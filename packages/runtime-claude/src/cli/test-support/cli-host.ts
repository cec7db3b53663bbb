import { createMemoryStore } from "@turnwire/log";
import { SessionHost } from "../../../../server/src/3-host/session-host.ts";
import type { SessionHostOptions } from "../../../../server/src/3-host/creation/session-host-options.ts";
import type { ClaudePlace } from "../../test-support/claude-place.ts";
import { claudeCli } from "../runtime.ts";

/** The runtime with CLIs that talk to the place's stand-in. */
export function createCliRuntime({ env }: ClaudePlace): ReturnType<typeof claudeCli> {
  return claudeCli({ env, model: "claude-opus-5-5" });
}

/** A host whose sessions have them. */
export function openCliHost(
  place: ClaudePlace,
  options: Partial<SessionHostOptions> = {},
): SessionHost {
  return new SessionHost({
    store: createMemoryStore(),
    runtimes: [createCliRuntime(place)],
    defaultRuntime: "claude-cli",
    roots: [place.cwd],
    ...options,
  });
}
