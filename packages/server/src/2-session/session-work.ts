import { activityOf, type Command, type Control, draft, rejected } from "@turnwire/protocol";
import type { SessionRecord } from "@turnwire/log";
import { isAtRest } from "./decide/budget-due.ts";
import { shuttingDown } from "./port/host-rejection.ts";
import type { SessionParts } from "./session-parts.ts";
import type { SessionSettings } from "./session-settings.ts";

type WorkingParts = Pick<SessionParts, "recorder" | "procedures" | "retention" | "agent">;

/** Nothing runs and nothing waits: the agent could be given back. */
export function isQuiet({ recorder, procedures, retention, agent }: WorkingParts): boolean {
  const isBusy = procedures.isRunning || retention.isHeld || agent.isBusy;
  return isAtRest(recorder.control) && !isBusy;
}

/** Something runs that would be lost if the session ended now. What a guest has begun continues without us. */
export function isAtWork({ recorder, procedures, retention, agent }: WorkingParts): boolean {
  const isTurnRunning = recorder.control.turn !== null && !agent.isGuest;
  return isTurnRunning || procedures.isRunning || retention.isHeld;
}

/** Gives a quiet session's agent back. */
export async function giveAgentBack(parts: WorkingParts): Promise<void> {
  const { recorder, agent } = parts;
  // The agent may have begun something by itself in the same tick.
  recorder.flush();
  if (!agent.isAttached || agent.isGuest || !isQuiet(parts)) return;
  recorder.record([draft("session_updated", { status: "hibernated" })]);
  await agent.close();
}

/** Whether it stays with its host while it is idle: without one, what is open in it would look as if its host had died. */
export function staysHeld(control: Control, { store }: Pick<SessionSettings, "store">): boolean {
  return store.isShared && activityOf(control) !== "idle";
}

/** Where a session's agent would work: hosts with the same storage see the same directories. */
export type Workspace = Pick<SessionRecord, "storage">;

/** Whether a host with this storage has the session's working directory. */
export function hasWorkspace({ storage: needed }: Workspace, storage: string | undefined): boolean {
  return needed === undefined || storage === undefined || needed === storage;
}

/** Whether a turn may start here at all. */
export function mayWork({ isDraining, storage }: SessionSettings, workspace: Workspace): boolean {
  return !isDraining() && hasWorkspace(workspace, storage);
}

/** A command, or that the agent starts without one. */
export type AskedWork = Command | { readonly type: "wake" };

/** Why this host may not begin what is asked for: it is about to leave, or has not got the session's working directory. */
export function refuseWork(
  asked: AskedWork,
  { isDraining, storage, store }: SessionSettings,
  workspace: Workspace,
): ReturnType<typeof rejected> | undefined {
  if (!beginsWork(asked)) return undefined;
  if (!hasWorkspace(workspace, storage)) {
    const name =
      workspace.storage === undefined ? "another storage" : `the storage "${workspace.storage}"`;
    return rejected(
      "workspace_unavailable",
      `The session's working directory is on ${name}, and no host with that storage is running: try again when one is.`,
    );
  }
  // On a shared store, a message waits for the next host.
  const isMessage = asked.type === "user_message" || asked.type === "component_callback";
  return isDraining() && !(isMessage && store.isShared) ? shuttingDown() : undefined;
}

/** What may need a turn, or an agent of its own. */
function beginsWork(asked: AskedWork): boolean {
  switch (asked.type) {
    case "user_message":
      return asked.delivery !== "steer";
    case "component_callback":
    case "rollback":
    case "compact":
    case "fork":
    case "wake":
      return true;
    default:
      return false;
  }
}
