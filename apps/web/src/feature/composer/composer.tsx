import { useSessionSelector } from "@turnwire/react";
import { RequestBar } from "../request/request-bar.tsx";
import style from "./composer.module.css";
import { EndedNote } from "./ended-note.tsx";
import { MessageForm } from "./message-form.tsx";

/** Where a person writes to the agent, or why they cannot. */
export function Composer() {
  const { status, is_closed: isClosed } = useSessionSelector((view) => view.session.session);
  if (isClosed || status === "archived") return <EndedNote isClosed={isClosed} />;
  return (
    <div className={style.place}>
      <RequestBar />
      <MessageForm />
    </div>
  );
}
