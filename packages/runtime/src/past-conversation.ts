/** A message of the session's log, as far as it has words. */
export interface PastMessage {
  readonly role: "user" | "agent";
  readonly text: string;
}

/** Words for the agent in front of the next message, and a notice for people. */
export interface RetoldConversation {
  readonly text: string;
  readonly notice: string;
}

/** More is left out, the oldest first: about 50,000 tokens. */
const maxCharacters = 200_000;

const opening =
  "This conversation began earlier, and your own record of it is gone. Here is what was said in it, " +
  "without the tools that you used. It is repeated only so that you know of it: nothing of it is to be " +
  "done again unless the user asks for that.";
const closing = "This was the conversation so far. Now the user says:";

/** The conversation for an agent whose own record of it is gone; undefined where nothing was said. */
export function retellConversation(
  messages: readonly PastMessage[],
): RetoldConversation | undefined {
  const kept: string[] = [];
  let length = 0;
  for (const { role, text } of messages.toReversed()) {
    const said = `${role === "user" ? "User" : "You"}: ${text}`;
    length += said.length;
    // The newest message is never left out as a whole.
    if (length > maxCharacters && kept.length > 0) break;
    kept.unshift(said.slice(-maxCharacters));
  }
  if (kept.length === 0) return undefined;
  const isWhole = kept.length === messages.length && length <= maxCharacters;
  const gap = isWhole ? [] : ["[Earlier messages are left out.]"];
  return {
    text: [opening, ...gap, ...kept, closing].join("\n\n"),
    notice: `The agent's own record of this conversation is gone, so it starts a new one. It gets ${isWhole ? "what was said" : "the newest of what was said"} with this message, without what its tools returned.`,
  };
}
