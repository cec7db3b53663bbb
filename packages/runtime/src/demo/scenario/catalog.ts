import type { Scenario } from "./scenario.ts";
import { components, interrupt, state } from "./component.ts";
import { crash, error, unknown } from "./failure.ts";
import { budget, compact, diff, mcp, plan, tasks, usage } from "./progress.ts";
import { policy } from "./policy.ts";
import { frontendTool, hook, permission, question } from "./request.ts";
import { subagents } from "./subagent.ts";
import { canvas, form, planEditor } from "./surface.ts";
import { huge, read, toolError, tools } from "./tool.ts";
import { flood, long, markdown, slow, thinking } from "./writing.ts";

const scenarios: readonly Scenario[] = [
  markdown,
  thinking,
  tools,
  read,
  permission,
  policy,
  question,
  plan,
  diff,
  subagents,
  components,
  canvas,
  interrupt,
  form,
  planEditor,
  frontendTool,
  state,
  hook,
  tasks,
  usage,
  budget,
  mcp,
  compact,
  long,
  slow,
  toolError,
  error,
  crash,
  unknown,
  huge,
  flood,
];

/** What the demo agent can show, in the order to try it: for help, menus, tests and docs. */
export const demoScenarios: readonly Omit<Scenario, "play">[] = scenarios.map(
  ({ name, description, example }) => ({ name, description, example }),
);

const politeness =
  /^(?:please\s+)?(?:(?:show|give|run|play|try)\s+)?(?:me\s+)?(?:(?:an?|the|some)\s+)?/i;

/** The scenario that a message asks for: “/plan”, “plan”, “show me a plan”. */
export function findScenario(text: string): Scenario | undefined {
  const name = /^\/?([a-z-]+)/i.exec(text.trim().replace(politeness, ""))?.[1]?.toLowerCase();
  return scenarios.find((scenario) => scenario.name === name || `${scenario.name}s` === name);
}
