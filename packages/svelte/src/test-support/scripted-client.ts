import { createClient, type TurnwireClient } from "@turnwire/client";
import {
  encodeSseFrame,
  initialState,
  noCapabilities,
  type EventDraft,
  type JsonValue,
} from "@turnwire/protocol";

export interface ScriptedClient {
  readonly client: TurnwireClient;
  /** The requests to the server: the last part of each path. */
  readonly asked: string[];
  /** The bodies of the commands that came. */
  readonly commands: JsonValue[];
  /** Resolves when the client has let its stream go. */
  readonly release: Promise<void>;
  /** Appends events to the log and sends them in one chunk. */
  readonly push: (...drafts: EventDraft[]) => void;
}

const headers = {
  "content-type": "text/event-stream",
  "turnwire-epoch": "e1",
  "turnwire-after": "0",
};

/** A client whose server says what the test says: for what no agent does on purpose. */
export function scriptedClient(): ScriptedClient {
  const asked: string[] = [];
  const commands: JsonValue[] = [];
  const chunks: Uint8Array[] = [];
  const streams = new Set<ReadableStreamDefaultController<Uint8Array>>();
  const encoder = new TextEncoder();
  let seq = 0;
  const frameOf = (draft: EventDraft): string => {
    seq += 1;
    const event = { seq, ts: "2026-11-15T09:00:00.000Z", ...draft };
    return encodeSseFrame({ id: `${seq}`, event: draft.type, data: JSON.stringify(event) });
  };
  const push = (...drafts: EventDraft[]): void => {
    const chunk = encoder.encode(drafts.map(frameOf).join(""));
    chunks.push(chunk);
    for (const stream of streams) stream.enqueue(chunk);
  };
  let onRelease = (): void => {};
  const release = new Promise<void>((resolve) => {
    onRelease = resolve;
  });
  const openStream = (signal: AbortSignal): Response => {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        for (const chunk of chunks) controller.enqueue(chunk);
        streams.add(controller);
        signal.addEventListener("abort", () => {
          streams.delete(controller);
          onRelease();
        });
      },
    });
    return new Response(body, { headers: { ...headers, "turnwire-head": `${seq}` } });
  };
  push({
    type: "session_ready",
    data: {
      session_id: "s1",
      protocol_version: "1.0",
      runtime: "demo",
      capabilities: noCapabilities,
    },
  });
  const client = createClient({
    url: "http://scripted.test",
    transport: "sse",
    lingerMs: 0,
    random: () => 0,
    fetch: async (url, { body, signal }) => {
      const name = new URL(url).pathname.split("/").at(-1) ?? "";
      asked.push(name);
      if (name === "events") return openStream(signal);
      if (name === "snapshot") {
        return Response.json({ seq: 0, epoch: "e1", state: initialState() });
      }
      commands.push(JSON.parse(body ?? "null"));
      return Response.json({ accepted: true, seq }, { status: 202 });
    },
  });
  return { client, asked, commands, release, push };
}
