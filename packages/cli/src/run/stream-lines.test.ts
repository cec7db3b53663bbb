import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Clock } from "@turnwire/base";
import { encodeSseFrame, type SseFrame } from "@turnwire/protocol";
import { afterEach, describe, expect, test } from "vitest";
import { streamLines } from "./stream-lines.ts";

/** The frames of a turn: event 5 has three, event 6 one, event 7 the result. */
const turn: readonly SseFrame[] = [
  { event: "system", data: "5a" },
  { event: "user", data: "5b" },
  { event: "stream_event", data: "5c", id: "5" },
  { event: "assistant", data: "6a", id: "6" },
  { event: "assistant", data: "7a" },
  { event: "result", data: "7b", id: "7" },
  { event: "system", data: "8a", id: "8" },
];

let server: Server | undefined;

afterEach(async () => {
  if (!server) return;
  const closed = once(server, "close");
  server.close();
  server.closeAllConnections();
  await closed;
  server = undefined;
});

/** A server that answers each connection as the next of these does; `after` is where the reader stands. */
async function serve(
  ...connections: readonly ((response: ServerResponse, after: number) => void)[]
): Promise<{ url: string; afters: number[] }> {
  const afters: number[] = [];
  server = createServer((request, response) => {
    const after = Number(new URL(request.url ?? "", "http://x").searchParams.get("after"));
    const answer = connections[afters.length];
    afters.push(after);
    if (answer) answer(response, after);
    else response.writeHead(404).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, afters };
}

/** Sends so many frames of those after the position, then breaks off or stays open. */
function sending(count: number, end: "cut" | "open" = "cut") {
  return (response: ServerResponse, after: number): void => {
    const from = after < 5 ? 0 : turn.findIndex(({ id }) => id === String(after)) + 1;
    response.writeHead(200, { "content-type": "text/event-stream" });
    const text = turn
      .slice(from, from + count)
      .map(encodeSseFrame)
      .join("");
    response.write(`: here\n\n${text}`, () => {
      if (end === "cut") response.destroy();
    });
  };
}

/** Waits for nothing: what comes after a pause is what matters here. */
const hastyClock: Clock = { now: () => 0, wait: () => Promise.resolve() };

async function linesFrom(url: string): Promise<string[]> {
  const { signal } = new AbortController();
  const connection = { url, token: undefined };
  const lines: string[] = [];
  const place = { sessionId: "s", after: 4, signal, clock: hastyClock };
  for await (const line of streamLines(connection, place)) {
    lines.push(line);
  }
  return lines;
}

const whole = ["5a", "5b", "5c", "6a", "7a", "7b"];

describe("the lines of a turn", () => {
  test("end with its result, also where the stream continues", async () => {
    const { url } = await serve(sending(turn.length, "open"));
    expect(await linesFrom(url)).toEqual(whole);
  });

  test.each(turn.slice(0, 6).map((_frame, count) => count))(
    "come once each where the connection breaks after %d of them",
    async (count) => {
      const { url } = await serve(sending(count), sending(turn.length, "open"));
      expect(await linesFrom(url)).toEqual(whole);
    },
  );

  test("come once each where it breaks again and again, within one event", async () => {
    const parts = [2, 1, 3, 1, 1, 2].map((count) => sending(count));
    const { url, afters } = await serve(...parts, sending(turn.length, "open"));
    expect(await linesFrom(url)).toEqual(whole);
    expect(afters).toEqual([4, 4, 4, 5, 6, 6]);
  });

  test("are waited for where the server is busy or away for a moment", async () => {
    const busy = (response: ServerResponse): void => {
      response.writeHead(503).end();
    };
    const away = (response: ServerResponse): void => {
      response.destroy();
    };
    const { url } = await serve(busy, away, sending(turn.length, "open"));
    expect(await linesFrom(url)).toEqual(whole);
  });

  test("end early where the session is gone", async () => {
    const { url } = await serve(sending(2));
    expect(await linesFrom(url)).toEqual(["5a", "5b"]);
  });

  test("are refused aloud", async () => {
    const { url } = await serve((response) => {
      response.writeHead(401).end();
    });
    await expect(linesFrom(url)).rejects.toThrow("The server refuses the stream (401).");
  });
});
