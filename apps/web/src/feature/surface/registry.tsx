import { createRegistry } from "@turnwire/react";
import { Approval, approvalPropsFrom } from "./component/approval.tsx";
import { ChangeView, changePropsFrom } from "./component/change-view.tsx";
import { Chart, chartPropsFrom } from "./component/chart.tsx";
import { DataTable, tablePropsFrom } from "./component/data-table.tsx";
import { Form, formPropsFrom } from "./component/form.tsx";
import { PlanEditor, planEditorPropsFrom } from "./component/plan-editor.tsx";
import { ProgressMeter, progressPropsFrom } from "./component/progress-meter.tsx";
import { Proof, proofPropsFrom } from "./component/proof.tsx";

const everywhere = ["chat", "sidebar", "panel", "overlay", "canvas"] as const;

/** The components that agents may show in this app, by the name agents use. */
export const surfaceRegistry = createRegistry({
  table: { component: DataTable, surfaces: everywhere, parse: tablePropsFrom },
  chart: { component: Chart, surfaces: everywhere, parse: chartPropsFrom },
  form: { component: Form, surfaces: everywhere, parse: formPropsFrom },
  plan_editor: { component: PlanEditor, surfaces: everywhere, parse: planEditorPropsFrom },
  diff: { component: ChangeView, surfaces: everywhere, parse: changePropsFrom },
  progress: { component: ProgressMeter, surfaces: everywhere, parse: progressPropsFrom },
  approval: { component: Approval, surfaces: everywhere, parse: approvalPropsFrom },
  proof: { component: Proof, surfaces: everywhere, parse: proofPropsFrom },
});
