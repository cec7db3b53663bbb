import type { SessionView } from "@turnwire/client";
import { textOf, type Message } from "@turnwire/protocol";
import { useConnection, useSessionSelector } from "@turnwire/react";
import { useState } from "react";
import style from "./message-list.module.css";

const LONGEST = 600;

/** Reads out each answer once it is complete: a growing text would be noise. */
export function Announcer() {
  const message = useSessionSelector(lastAnswer);
  const { status } = useConnection();
  const [known, setKnown] = useState<string | null>();
  if (known === undefined && status === "live") setKnown(message?.id ?? null);
  const isNew = known !== undefined && message !== undefined && message.id !== known;
  return (
    <div className={`visually-hidden ${style.announcer}`} aria-live="polite">
      {isNew && textOf(message).slice(0, LONGEST)}
    </div>
  );
}

function lastAnswer({ session }: SessionView): Message | undefined {
  const message = session.messages.at(-1);
  return message?.role === "agent" && message.done ? message : undefined;
}
