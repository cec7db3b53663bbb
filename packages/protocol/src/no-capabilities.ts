import type { Capabilities } from "./capabilities.ts";

/** A runtime that can do nothing but talk: spread it and claim what is more. */
export const noCapabilities: Capabilities = {
  interrupt: false,
  steer: false,
  resume: false,
  permissions: false,
  questions: false,
  hooks: false,
  thinking: false,
  images: false,
  documents: false,
  components: false,
  frontend_tools: false,
  shared_state: false,
  subagents: false,
  set_model: false,
  set_permission_mode: false,
  stop_task: false,
  fork: false,
  rollback: false,
  compact: false,
  history: false,
  permission_modes: [],
  admin_modes: [],
  models: [],
  slash_commands: [],
};
