import { draft, type EventDraft } from "@turnwire/protocol";

const MESSAGE_ID = "msg_01hxyz";
const TURN_ID = "turn_01hxyz";
const WORDS = "a few words of an answer ";

/** A delta as agents send them: with its frame around it, about 190 bytes on the wire. */
export function deltaDraft(text = WORDS): EventDraft {
  return draft("delta", { message_id: MESSAGE_ID, text }, { turn_id: TURN_ID });
}

/** The same event as the server would keep it, for those that have no server. */
export function deltaJson(seq: number, text = WORDS): string {
  return JSON.stringify({ seq, ts: "2026-11-15T09:00:00.123Z", ...deltaDraft(text) });
}

export function frameOf(seq: number, json: string): string {
  return `id: ${seq}\nevent: delta\ndata: ${json}\n\n`;
}

/** Frames 1 to `count`, made before anything is measured. */
export function deltaFrames(count: number): Buffer[] {
  return Array.from({ length: count }, (_, index) =>
    Buffer.from(frameOf(index + 1, deltaJson(index + 1))),
  );
}
