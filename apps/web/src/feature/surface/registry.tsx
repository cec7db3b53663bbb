import { createRegistry } from "@turnwire/react";
import { Approval, approvalPropsFrom } from "./component/approval.tsx";
import { ChangeView, changePropsFrom } from "./component/change-view.tsx";
import { Chart, chartPropsFrom } from "./component/chart.tsx";
import { DataTable, tablePropsFrom } from "./component/data-table.tsx";
import { Form, formPropsFrom } from "./component/form.tsx";
import { PlanEditor, planEditorPropsFrom } from "./component/plan-editor.tsx";
import { ProgressMeter, progressPropsFrom } from "./component/progress-meter.tsx";
import { Proof, proofPropsFrom } from "./component/proof.tsx";
import { withStatus } from "./component-status.tsx";

const everywhere = ["chat", "sidebar", "panel", "overlay", "canvas"] as const;

/** The components that agents may show in this app, by the name agents use. */
export const surfaceRegistry = createRegistry({
  table: { component: withStatus(DataTable), surfaces: everywhere, parse: tablePropsFrom },
  chart: { component: withStatus(Chart), surfaces: everywhere, parse: chartPropsFrom },
  form: { component: withStatus(Form), surfaces: everywhere, parse: formPropsFrom },
  plan_editor: {
    component: withStatus(PlanEditor),
    surfaces: everywhere,
    parse: planEditorPropsFrom,
  },
  diff: { component: withStatus(ChangeView), surfaces: everywhere, parse: changePropsFrom },
  progress: {
    component: withStatus(ProgressMeter),
    surfaces: everywhere,
    parse: progressPropsFrom,
  },
  approval: { component: withStatus(Approval), surfaces: everywhere, parse: approvalPropsFrom },
  proof: { component: withStatus(Proof), surfaces: everywhere, parse: proofPropsFrom },
});
