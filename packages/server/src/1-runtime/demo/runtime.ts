import { type Capabilities, noCapabilities } from "@turnwire/protocol";
import { type Clock, systemClock } from "../clock.ts";
import type { Runtime } from "../runtime.ts";
import { demoScenarios } from "./catalog.ts";
import { type DemoState, demoNormalizer } from "./normalize.ts";
import { DemoRun } from "./run.ts";
import { newId } from "./turn.ts";

export interface DemoRuntimeOptions {
  /** The pause before each word; 0 uses no timers at all. */
  readonly delayMs?: number;
  readonly clock?: Clock;
}

const capabilities: Capabilities = {
  ...noCapabilities,
  interrupt: true,
  steer: true,
  resume: true,
  permissions: true,
  questions: true,
  set_model: true,
  set_permission_mode: true,
  fork: true,
  permission_modes: ["default", "acceptEdits", "plan", "bypassPermissions"],
  models: [
    { id: "demo-1", label: "Demo" },
    { id: "demo-1-mini", label: "Demo mini" },
  ],
  slash_commands: demoScenarios.map(({ name, description }) => ({ name, description })),
};

/** A scripted agent in this process: needs no key, touches nothing, shows every event type. */
export function createDemoRuntime(options: DemoRuntimeOptions = {}): Runtime<unknown, DemoState> {
  const { delayMs = 15, clock = systemClock } = options;
  return {
    name: "demo",
    label: "Demo",
    capabilities,
    normalizer: demoNormalizer,
    check: async () => ({ isAvailable: true }),
    createRun: async (run) => new DemoRun({ run, clock, delayMs }),
    fork: async () => ({ providerSessionId: newId("demo") }),
  };
}
