import { createRegistry } from "@turnwire/svelte";
import Approval from "./component/Approval.svelte";
import Progress from "./component/Progress.svelte";
import Table from "./component/Table.svelte";

/** What the demo agent knows to show; each takes its props as far as it understands them. */
export const registry = createRegistry({
  table: { component: Table, surfaces: ["chat", "panel"] },
  progress: { component: Progress, surfaces: ["sidebar", "panel"] },
  approval: { component: Approval, surfaces: ["chat", "overlay"] },
});
