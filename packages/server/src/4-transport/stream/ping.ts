import { limits } from "@turnwire/protocol";
import type { WebSocket } from "ws";
import { BEAT_MS } from "./heartbeat.ts";
import type { ReaderHub } from "./reader-hub.ts";

/** Pings a peer for as long as it is connected, and drops it when it has stopped to answer. */
export function keepOpen(
  websocket: WebSocket,
  { heartbeat, keepaliveMs }: Pick<ReaderHub, "heartbeat" | "keepaliveMs">,
): void {
  let beats = 0;
  let missedPongs = 0;
  websocket.on("pong", () => {
    missedPongs = 0;
  });
  const stopBeat = heartbeat.add(() => {
    beats += 1;
    if (beats * BEAT_MS < keepaliveMs) return;
    beats = 0;
    if (missedPongs >= limits.missedPongs) {
      websocket.terminate();
      return;
    }
    missedPongs += 1;
    websocket.ping();
  });
  websocket.once("close", stopBeat);
}
