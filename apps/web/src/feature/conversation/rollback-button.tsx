import { detach } from "@turnwire/base";
import { useClient, useSession, useSessionSelector } from "@turnwire/react";
import { useState } from "react";
import { Button } from "../../element/button.tsx";
import { Dialog } from "../../element/dialog.tsx";
import { Icon } from "../../element/icon.tsx";
import { showError } from "../../element/toast.ts";
import style from "./message-button.module.css";

/** Rolls the conversation back to before a message, after a confirmation, if the runtime can. */
export function RollbackButton({ turnId }: { readonly turnId: string }) {
  const client = useClient();
  const { id } = useSession();
  const [isAsking, setAsking] = useState(false);
  const canRollBack = useSessionSelector(
    ({ session }) => session.session.capabilities.rollback && session.turn === null,
  );
  if (!canRollBack) return null;
  const rollBack = (): void => {
    setAsking(false);
    detach(client.sessions.rollback(id, { turn_id: turnId }), showError);
  };
  return (
    <>
      <button
        type="button"
        className={style.button}
        title="Roll back to before this message"
        aria-label="Roll back to before this message"
        onClick={() => setAsking(true)}
      >
        <Icon name="undo" size={15} />
      </button>
      {isAsking && (
        <Dialog title="Roll back the conversation?" onClose={() => setAsking(false)}>
          <div className={style.question}>
            <p>
              This message and everything after it leave the conversation, and the agent forgets
              them. Files that were changed stay as they are.
            </p>
            <div className={style.choices}>
              <Button onClick={() => setAsking(false)}>Keep it</Button>
              <Button look="danger" onClick={rollBack}>
                Roll back
              </Button>
            </div>
          </div>
        </Dialog>
      )}
    </>
  );
}
