import { request, type ClientRequest, type IncomingMessage } from "node:http";
import { createParser } from "eventsource-parser";
import { tokenUnlessCookie } from "./running-server.ts";

export interface ReadFrame {
  readonly id: number;
  readonly event: string;
  readonly data: string;
}

export interface SseReader {
  readonly response: IncomingMessage;
  readonly frames: readonly ReadFrame[];
  readonly comments: readonly string[];
  readonly retries: readonly number[];
  /** Resolves when a condition holds, looked at after every chunk; rejects when the stream ends before. */
  until(condition: () => boolean): Promise<void>;
  /** Resolves when the stream has ended, whichever way. */
  readonly ended: Promise<void>;
  close(): void;
}

/** Opens a stream and resolves with its head; frames come in by themselves. */
export function openSse(
  url: string,
  headers: Record<string, string> = {},
): Promise<{ response: IncomingMessage; outgoing: ClientRequest }> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, {
      headers: { ...tokenUnlessCookie(headers), accept: "text/event-stream", ...headers },
      agent: false,
    });
    outgoing.on("response", (response) => resolve({ response, outgoing }));
    outgoing.on("error", reject);
    outgoing.end();
  });
}

/** Reads a stream with a parser that follows the standard. */
export async function readSse(
  url: string,
  headers: Record<string, string> = {},
): Promise<SseReader> {
  const { response, outgoing } = await openSse(url, headers);
  const frames: ReadFrame[] = [];
  const comments: string[] = [];
  const retries: number[] = [];
  const waiting = new Set<() => void>();
  const parser = createParser({
    onEvent: ({ id = "", event = "", data }) => frames.push({ id: Number(id), event, data }),
    onComment: (comment) => comments.push(comment),
    onRetry: (retry) => retries.push(retry),
  });
  let isEnded = false;
  response.setEncoding("utf8");
  response.on("data", (chunk: string) => {
    parser.feed(chunk);
    for (const look of waiting) look();
  });
  const ended = new Promise<void>((resolve) => {
    const end = (): void => {
      isEnded = true;
      resolve();
      for (const look of waiting) look();
    };
    response.on("close", end);
    response.on("error", end);
  });
  return {
    response,
    frames,
    comments,
    retries,
    ended,
    until: (condition) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (condition()) resolve();
          else if (isEnded) reject(new Error(`the stream ended after ${frames.length} frames`));
          else return;
          waiting.delete(look);
        };
        waiting.add(look);
        look();
      }),
    close: () => outgoing.destroy(),
  };
}
