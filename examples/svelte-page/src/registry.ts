import { createRegistry } from "@turnwire/svelte";
import Approval from "./component/Approval.svelte";
import Chart from "./component/Chart.svelte";
import PlanEditor from "./component/PlanEditor.svelte";
import Progress from "./component/Progress.svelte";
import Table from "./component/Table.svelte";

/** Components that agents can show here; each takes the props that it understands. */
export const registry = createRegistry({
  table: { component: Table, surfaces: ["chat", "panel"] },
  progress: { component: Progress, surfaces: ["sidebar", "panel"] },
  chart: { component: Chart, surfaces: ["chat", "panel", "canvas"] },
  plan_editor: { component: PlanEditor, surfaces: ["sidebar", "panel"] },
  approval: { component: Approval, surfaces: ["chat", "overlay"] },
});
