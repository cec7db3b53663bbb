import { useClient, useSession } from "@turnwire/react";
import { detach } from "../../element/detach.ts";
import { Button } from "../../element/button.tsx";
import { showError } from "../../element/toast.ts";
import style from "./ended-note.module.css";

/** Why nothing can be written here, and what to do about it. */
export function EndedNote({ isClosed }: { readonly isClosed: boolean }) {
  const client = useClient();
  const { id } = useSession();
  if (isClosed) return <p className={style.note}>This session was deleted.</p>;
  return (
    <div className={style.note}>
      <p>This session is archived.</p>
      <Button onClick={() => detach(client.sessions.unarchive(id), showError)}>Unarchive</Button>
    </div>
  );
}
