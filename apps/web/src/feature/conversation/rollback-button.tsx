import { detach } from "@turnwire/base";
import type { SessionView } from "@turnwire/client";
import type { UserMessage } from "@turnwire/protocol";
import { useClient, useSession, useSessionSelector } from "@turnwire/react";
import { useState } from "react";
import { useMessageField } from "../composer/message-field.ts";
import { Button } from "../../element/button.tsx";
import { Dialog } from "../../element/dialog.tsx";
import { IconButton } from "../../element/icon-button.tsx";
import { showError } from "../../element/toast.ts";

interface RollbackButtonProps {
  readonly message: UserMessage;
  /** The first turn to undo. */
  readonly turnId: string;
}

/** Rolls the conversation back to before a message, after a confirmation, and puts the message into the field again. */
export function RollbackButton({ message, turnId }: RollbackButtonProps) {
  const client = useClient();
  const session = useSession();
  const { takeBack } = useMessageField();
  const [isAsking, setAsking] = useState(false);
  const canRollBack = useSessionSelector(isPossible);
  // A turn that begins meanwhile must not take the question away, only to ask it again at its end.
  if (!canRollBack && !isAsking) return null;
  const rollBack = async (files: boolean): Promise<void> => {
    setAsking(false);
    // With its stored attachments, which may go with the turn.
    const { id: message_id, content } = await session.restore(message);
    await client.sessions.rollback(session.id, { turn_id: turnId, ...(files && { files }) });
    takeBack.current?.({ message_id, content });
  };
  return (
    <>
      <IconButton
        isSmall
        icon="undo"
        label="Roll back to before this message"
        onClick={() => setAsking(true)}
      />
      {isAsking && (
        <RollbackDialog
          canRollBack={canRollBack}
          onClose={() => setAsking(false)}
          onRollBack={(files) => detach(rollBack(files), showError)}
        />
      )}
    </>
  );
}

function isPossible({ session }: SessionView): boolean {
  return session.session.capabilities.rollback && session.turn === null;
}

interface RollbackDialogProps {
  readonly canRollBack: boolean;
  readonly onClose: () => void;
  readonly onRollBack: (files: boolean) => void;
}

function RollbackDialog({ canRollBack, onClose, onRollBack }: RollbackDialogProps) {
  const canRestore = useSessionSelector((view) => view.session.session.capabilities.rollback_files);
  const [areFilesWanted, setFilesWanted] = useState(false);
  return (
    <Dialog title="Roll back the conversation?" onClose={onClose}>
      <div className="dialog-body stack gap-4">
        <p>
          This message and everything after it are removed from the conversation, and the agent
          forgets them. The message goes back into the message field, where you can change it and
          send it again.
        </p>
        {canRestore ? (
          <label className="line gap-2">
            <input
              type="checkbox"
              checked={areFilesWanted}
              onChange={(event) => setFilesWanted(event.currentTarget.checked)}
            />
            Also restore the files that the agent has changed since
          </label>
        ) : (
          <p>Changed files stay as they are.</p>
        )}
        <p role="status">{!canRollBack && "You can roll back once the agent is done."}</p>
        <div className="flow gap-2 end">
          <Button onClick={onClose}>Cancel</Button>
          <Button look="danger" disabled={!canRollBack} onClick={() => onRollBack(areFilesWanted)}>
            Roll back
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
