import type { JsonObject } from "@turnwire/protocol";
import * as z from "zod";
import type { ProcessRegistry } from "../process-registry.ts";
import { RuntimeError } from "../runtime.ts";
import type { SupervisionLimits } from "../supervised-process.ts";

export interface CodexRuntimeOptions {
  /** The directory that Codex keeps its threads and settings in (its CODEX_HOME). */
  readonly home: string;
  /** Whether the home is a person's own, so that only what must be is changed there. */
  readonly isHomeShared?: boolean;
  /** The model of sessions that name none; without it, Codex's own choice. */
  readonly model?: string;
  /** Added to Codex's environment, before what it inherits. */
  readonly env?: Readonly<Record<string, string>>;
  /** Settings as in config.toml, by dotted key; they go before the home's own. */
  readonly config?: CodexConfig;
  /** Another program than the one that came with `@openai/codex`. */
  readonly executable?: string;
  /** How long Codex may take to start. */
  readonly startMs?: number;
  /** How long Codex may take to answer one call. */
  readonly callMs?: number;
  readonly registry?: ProcessRegistry;
  readonly limits?: Partial<SupervisionLimits>;
}

export type CodexConfig = Readonly<Record<string, string | number | boolean | readonly string[]>>;

const standard: CodexConfig = {
  // What Codex would do beside its work: fetch plugins, report on itself. Both delay its end by seconds.
  "features.plugins": false,
  "analytics.enabled": false,
  // Without these the agent has no plan, and asks questions in plan mode only.
  "tools.update_plan.enabled": true,
  "features.default_mode_request_user_input": true,
  suppress_unstable_features_warning: true,
};

/** The settings as arguments of the command line. */
export function configArguments(config: CodexConfig): string[] {
  const settings = Object.entries({ ...standard, ...config });
  return settings.flatMap(([key, value]) => ["-c", `${key}=${JSON.stringify(value)}`]);
}

const Tool = z.object({
  name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
  description: z.string(),
  input_schema: z.record(z.string(), z.json()),
});

/** What of a session's `params` reaches the agent; everything else is left out. */
const Params = z.object({
  approval_policy: z.enum(["untrusted", "on-request", "never"]).optional(),
  sandbox: z.enum(["read-only", "workspace-write", "danger-full-access"]).optional(),
  effort: z.string().max(50).optional(),
  /** Tools that the user interface runs for the agent. */
  frontend_tools: z.array(Tool).max(100).optional(),
});
export type CodexParams = z.infer<typeof Params>;

export function paramsFrom(source: JsonObject | undefined): CodexParams {
  const params = Params.safeParse(source ?? {});
  if (params.success) return params.data;
  throw new RuntimeError(
    "protocol",
    `The session's params are wrong: ${z.prettifyError(params.error)}`,
  );
}
