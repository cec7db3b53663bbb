import { type Capabilities, frontendToolsSchema, noCapabilities } from "@turnwire/protocol";
import * as z from "zod";
import { type Clock, systemClock } from "@turnwire/base";
import { checkParams } from "../params.ts";
import type { Runtime } from "../runtime.ts";
import { demoScenarios } from "./scenario/catalog.ts";
import { newId } from "./stage/memory.ts";
import { type DemoState, demoNormalizer } from "./normalize.ts";
import { adminModes, modeInfo, permissionModes } from "./stage/permission.ts";
import type { DemoPace } from "./stage/pace.ts";
import { DemoRun } from "./run.ts";

export interface DemoRuntimeOptions {
  /** The pause before each word; 0 uses no timers at all. A session's `delay_ms` goes first. */
  readonly delayMs?: number;
  /** Takes the place of all delays, for every session: `DemoSteps` in tests. */
  readonly pace?: DemoPace;
  readonly clock?: Clock;
}

const defaultModel = "demo-1";
const efforts = ["low", "medium", "high"];

const DemoParams = z.object({
  delay_ms: z.number().nonnegative().max(10_000).optional(),
  frontend_tools: frontendToolsSchema([]).optional(),
});

const capabilities: Capabilities = {
  ...noCapabilities,
  interrupt: true,
  steer: true,
  resume: true,
  permissions: true,
  edit_tool_input: true,
  tool_policy: true,
  revoke_permissions: true,
  questions: true,
  hooks: true,
  thinking: true,
  images: true,
  documents: true,
  components: true,
  frontend_tools: true,
  shared_state: true,
  tool_input_stream: true,
  subagents: true,
  set_model: true,
  set_effort: true,
  set_permission_mode: true,
  stop_task: true,
  fork: true,
  rollback: true,
  rollback_files: true,
  compact: true,
  review: true,
  context_usage: true,
  reconnect_mcp: true,
  permission_modes: [...permissionModes],
  admin_modes: [...adminModes],
  mode_info: modeInfo,
  models: [
    {
      id: defaultModel,
      label: "Demo",
      description: "A script: no model, no key, no cost.",
      efforts: [...efforts],
      is_default: true,
    },
    {
      id: "demo-1-mini",
      label: "Demo, smaller",
      description: "The same script under another name.",
      efforts: [],
    },
  ],
  efforts: [...efforts],
  session_options: ["system_prompt"],
  budgets: ["tokens", "cost_usd", "minutes", "turns"],
  slash_commands: demoScenarios.map(({ name, description }) => ({ name, description })),
};

/** A scripted agent in this process: needs no key, touches nothing, shows every event type. */
export function demo(options: DemoRuntimeOptions = {}): Runtime<unknown, DemoState> {
  const { delayMs = 15, pace, clock = systemClock } = options;
  return {
    name: "demo",
    label: "Demo",
    capabilities,
    normalizer: demoNormalizer,
    check: async () => ({ isAvailable: true, connection: { status: "scripted" } }),
    grantsFrom: (_request, updates) => updates,
    checkSession: ({ params }) => checkParams(DemoParams, params),
    createRun: async (run) => new DemoRun({ run, clock, delayMs, pace, model: defaultModel }),
    fork: async () => ({ providerSessionId: newId("demo") }),
  };
}
