import { detach } from "@turnwire/base";
import { useClient } from "@turnwire/react";
import {
  canOpenBeside,
  currentRoute,
  navigate,
  openBeside,
  useRoute,
} from "../navigation/navigation.ts";
import type { MenuItem } from "../../element/menu.tsx";
import { showError, showToast } from "../../element/toast.ts";
import { askedDeletion, deleteWithUndo } from "./deletion.ts";
import { forkTitle, titleOf, type NamedSession } from "./session-title.ts";

interface SessionActionOptions {
  readonly onRename: () => void;
  /** True if the runtime is known to support it. */
  readonly canFork?: boolean;
}

/** The menu items for a session. */
export function useSessionActions(
  session: NamedSession,
  { onRename, canFork = false }: SessionActionOptions,
): MenuItem[] {
  const client = useClient();
  const { session_id: id } = session;
  const isArchived = session.status === "archived";
  /** Leaves the session if it is shown; the result leads back to where the person was. */
  const leave = (): (() => void) => {
    const route = currentRoute();
    if (route.type !== "session") return () => undefined;
    if (route.sessionId === id) navigate({ type: "home" });
    else if (route.besideId === id) navigate({ type: "session", sessionId: route.sessionId });
    else return () => undefined;
    return () => navigate(route);
  };
  const fork = async (): Promise<void> => {
    const copy = await client.sessions.fork(id, { title: forkTitle(titleOf(session)) });
    navigate({ type: "session", sessionId: copy.session_id });
  };
  const forkItem: MenuItem = {
    label: "Fork",
    icon: "branch",
    onSelect: () => detach(fork(), showError),
  };
  const archive = async (): Promise<void> => {
    await client.sessions.archive(id);
    const undo = (): void => detach(client.sessions.unarchive(id), showError);
    showToast("Archived", { action: { label: "Undo", run: undo } });
  };
  const here = useRoute();
  const besideItem: MenuItem = {
    label: "Open side by side",
    icon: "columns",
    onSelect: () => openBeside(id),
  };
  return [
    ...(canOpenBeside(here, id) ? [besideItem] : []),
    { label: "Rename", icon: "pencil", onSelect: onRename },
    ...(canFork ? [forkItem] : []),
    isArchived
      ? {
          label: "Unarchive",
          icon: "archive",
          onSelect: () => detach(client.sessions.unarchive(id), showError),
        }
      : { label: "Archive", icon: "archive", onSelect: () => detach(archive(), showError) },
    {
      label: "Delete",
      icon: "trash",
      isDanger: true,
      onSelect: () => {
        if (session.worktree) askedDeletion.set({ session, leave });
        else deleteWithUndo(client, session, { onUndo: leave() });
      },
    },
  ];
}
