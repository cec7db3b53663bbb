import type { ClientOptions } from "ws";
import {
  openSocket,
  type SocketClient,
} from "../../../server/src/4-transport/test-support/socket-client.ts";

type KitFrame = Record<string, unknown> & { readonly type?: unknown };

interface KitSocketClient extends SocketClient {
  /** Sends a message of the kit. */
  readonly say: (type: string, fields?: object) => void;
  /** The first frame from a place on that has a type and, where given, some fields. */
  readonly frame: (type: string, fields?: object, from?: number) => Promise<KitFrame>;
  /** The messages that the client has now. */
  readonly transcript: () => readonly KitMessage[];
  /** The session's state as the client knows it. */
  readonly state: () => Record<string, unknown>;
}

export interface KitMessage {
  readonly type: string;
  readonly subtype?: string;
  readonly uuid: string;
  readonly timestamp?: string;
  readonly session_id?: string;
  readonly message?: { readonly content: readonly { readonly type: string; text?: string }[] };
}

/** A client of Claude Agent Kit that knows nothing of ours: a plain `ws`. */
export async function openKit(
  url: string,
  options: ClientOptions & { protocols?: string[] } = {},
): Promise<KitSocketClient> {
  const client = await openSocket(url.includes("/ws") ? url : `${url}/ws`, options);
  const { messages } = client;
  const has = (type: string, fields: object) => (frame: KitFrame) =>
    frame.type === type && includes(frame, fields);
  return {
    ...client,
    say: (type, fields = {}) => client.send({ type, ...fields }),
    async frame(type, fields = {}, from = 0) {
      const find = (): KitFrame | undefined => messages.slice(from).find(has(type, fields));
      await client.until(() => find() !== undefined);
      return find() ?? {};
    },
    transcript() {
      let known: KitMessage[] = [];
      for (const frame of messages) {
        if (frame["type"] === "messages_updated") known = [...(frame["messages"] as KitMessage[])];
        if (frame["type"] === "message_added") known.push(frame["message"] as KitMessage);
      }
      return known;
    },
    state: () =>
      Object.assign({}, ...messages.map(({ sessionState }) => sessionState)) as Record<
        string,
        unknown
      >,
  };
}

/** Whether a value has all the fields, at any depth. */
function includes(value: unknown, fields: unknown): boolean {
  if (typeof fields !== "object" || fields === null) return Object.is(value, fields);
  if (typeof value !== "object" || value === null) return false;
  const known = value as Record<string, unknown>;
  return Object.entries(fields).every(([name, field]) => includes(known[name], field));
}
