import { detach } from "@turnwire/base";
import { useClient, useSession, useSessionSelector } from "@turnwire/react";
import { navigate } from "../navigation/navigation.ts";
import { Icon } from "../../element/icon.tsx";
import { showError } from "../../element/toast.ts";
import { forkTitle, titleOf } from "../session/session-title.ts";

/** Forks the session from here, if the runtime can. */
export function ForkButton({ turnId }: { readonly turnId: string }) {
  const client = useClient();
  const session = useSession();
  const canFork = useSessionSelector((view) => view.session.session.capabilities.fork);
  if (!canFork) return null;
  const fork = async (): Promise<void> => {
    const title = forkTitle(titleOf(session.getState().session.session));
    const { session_id } = await client.sessions.fork(session.id, { turn_id: turnId, title });
    navigate({ type: "session", sessionId: session_id });
  };
  return (
    <button
      type="button"
      className="quiet square faint"
      title="Fork from here"
      aria-label="Fork from here"
      onClick={() => detach(fork(), showError)}
    >
      <Icon name="branch" size={15} />
    </button>
  );
}
