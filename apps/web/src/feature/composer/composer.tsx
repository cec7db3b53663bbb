import { detach } from "@turnwire/base";
import { useClient, useSession, useSessionSelector } from "@turnwire/react";
import type { ReactNode } from "react";
import { Button } from "../../element/button.tsx";
import { showError } from "../../element/toast.ts";
import style from "./composer.module.css";
import { MessageForm } from "./message-form.tsx";

interface ComposerProps {
  /** Shown above the message field. */
  readonly children?: ReactNode;
}

/** Where a person writes to the agent, or why they cannot. */
export function Composer({ children }: ComposerProps) {
  const { status, is_closed: isClosed } = useSessionSelector((view) => view.session.session);
  if (isClosed)
    return <p className={`row gap-3 wrap soft ${style.note}`}>This session was deleted.</p>;
  if (status === "archived") return <ArchivedNote />;
  return (
    <div className={style.place}>
      {children}
      <MessageForm />
    </div>
  );
}

function ArchivedNote() {
  const client = useClient();
  const { id } = useSession();
  return (
    <div className={`row gap-3 wrap soft ${style.note}`}>
      <p>This session is archived.</p>
      <Button onClick={() => detach(client.sessions.unarchive(id), showError)}>Unarchive</Button>
    </div>
  );
}
