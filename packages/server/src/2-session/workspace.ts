import { type Command, rejected } from "@turnwire/protocol";
import type { SessionRecord } from "@turnwire/log";
import { shuttingDown } from "./port/host-rejection.ts";
import type { SessionSettings } from "./session-settings.ts";

/** The place of a session's agent: hosts with the same storage see the same directories. */
export type Workspace = Pick<SessionRecord, "storage">;

/** Whether a host with this storage has the session's working directory. */
export function hasWorkspace({ storage: needed }: Workspace, storage: string | undefined): boolean {
  return needed === undefined || storage === undefined || needed === storage;
}

type WorkSettings = Pick<SessionSettings, "isDraining" | "storage" | "store">;

/** Whether a turn may start here at all. */
export function mayWork({ isDraining, storage }: WorkSettings, workspace: Workspace): boolean {
  return !isDraining() && hasWorkspace(workspace, storage);
}

/** A command, or that the agent starts without one. */
export type AskedWork = Command | { readonly type: "wake" };

/** Refuses work on a host that is draining, or that does not have the session's working directory. */
export function refuseWork(
  asked: AskedWork,
  { isDraining, storage, store }: WorkSettings,
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

/** Commands that may need a turn, or start the agent. */
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
