import type { SessionView } from "@turnwire/client";
import type { Message } from "@turnwire/protocol";
import { useMemo } from "react";
import { useSessionSelector } from "./session-selector.ts";

/** All messages; those that did not change are the same objects, so a memoized item is not rendered again. */
export function useMessages(): readonly Message[] {
  return useSessionSelector(messagesOf);
}

/** The ids of all messages; renders again only when a message comes or goes. */
export function useMessageIds(): readonly string[] {
  return useSessionSelector(idsOf, isSameList);
}

/** One message; renders again only when that message changes. Undefined once it was rolled back. */
export function useMessage(id: string): Message | undefined {
  return useSessionSelector(useMemo(() => messageSelector(id), [id]));
}

function messagesOf({ session }: SessionView): readonly Message[] {
  return session.messages;
}

function idsOf({ session }: SessionView): readonly string[] {
  return session.messages.map((message) => message.id);
}

function isSameList(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((id, index) => id === right[index]);
}

/** Messages seldom move, so the last place is looked at first. */
function messageSelector(id: string): (view: SessionView) => Message | undefined {
  let place = -1;
  return ({ session: { messages } }) => {
    if (messages[place]?.id !== id) place = messages.findIndex((message) => message.id === id);
    return messages[place];
  };
}
