import { BudgetMeter } from "../budget/budget-meter.tsx";
import { ActivityNote } from "./activity-note.tsx";
import { AwayNote } from "./away-note.tsx";
import { ServerMenu, TaskMenu } from "./background-menu.tsx";
import { ConnectionNote } from "./connection-note.tsx";
import { LimitMenu } from "./limit-menu.tsx";
import style from "./status-line.module.css";
import { UsageMeter } from "./usage-meter.tsx";
import { useMarkSeen } from "../seen/use-seen.ts";

/** What the agent is doing, what it has used, and the state of the connection. */
export function StatusLine() {
  useMarkSeen();
  return (
    <>
      <AwayNote />
      <ConnectionNote />
      <div className={`row gap-2 small soft ${style.line}`}>
        <ActivityNote />
        <TaskMenu />
        <ServerMenu />
        <LimitMenu />
        <BudgetMeter />
        <UsageMeter />
      </div>
    </>
  );
}
