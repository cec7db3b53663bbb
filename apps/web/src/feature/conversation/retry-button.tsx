import { detach } from "@turnwire/base";
import { useSession, useSessionSelector } from "@turnwire/react";
import { useCallback } from "react";
import { Button } from "../../element/button.tsx";
import { showError } from "../../element/toast.ts";
import { messageToRetry } from "./retry.ts";
import style from "./retry-button.module.css";

/** Sends the message of a failed turn again, once however often it is pressed and in how many windows. */
export function RetryButton({ errorKey }: { readonly errorKey: string }) {
  const session = useSession();
  const message = useSessionSelector(
    useCallback((view) => messageToRetry(view.session, errorKey), [errorKey]),
  );
  if (!message) return null;
  const retry = async (): Promise<void> => {
    const { content } = await session.restore(message);
    await session.send([...content], { client_message_id: `retry ${errorKey} ${message.id}` });
  };
  return (
    <div className={style.retry}>
      <Button onClick={() => detach(retry(), showError)}>Retry</Button>
    </div>
  );
}
