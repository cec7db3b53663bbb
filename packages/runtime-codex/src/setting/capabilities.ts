import { type Capabilities, noCapabilities } from "@turnwire/protocol";
import { codexEfforts } from "./options.ts";
import { adminModes, modeInfo, permissionModes } from "./policy.ts";

/** What a new thread of the app-server offers before it has reported more itself. */
export const codexCapabilities: Capabilities = {
  ...noCapabilities,
  interrupt: true,
  steer: true,
  resume: true,
  permissions: true,
  tool_policy: true,
  containment: {
    kind: "none",
    problem: "Codex runs an allowed command again outside of its sandbox when it fails inside.",
  },
  questions: true,
  thinking: true,
  images: true,
  components: true,
  frontend_tools: true,
  shared_state: true,
  subagents: true,
  set_model: true,
  set_effort: true,
  set_permission_mode: true,
  stop_task: true,
  fork: true,
  rollback: true,
  compact: true,
  review: true,
  history: true,
  efforts: [...codexEfforts],
  session_options: [
    "system_prompt",
    "system_prompt.replace",
    "mcp_servers",
    "output_schema",
    "agents",
  ],
  budgets: ["tokens", "minutes", "turns"],
  permission_modes: [...permissionModes],
  admin_modes: [...adminModes],
  mode_info: modeInfo,
};
