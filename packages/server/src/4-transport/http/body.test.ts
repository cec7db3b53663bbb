import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { WatchedClock } from "../test-support/watched-clock.ts";
import { statusOf } from "../test-support/raw-request.ts";
import { startServer, testToken } from "../test-support/running-server.ts";

/** Sends the head of a POST and half of its body, and collects what comes back. */
function sendHalf(port: number) {
  const socket = connect(port, "127.0.0.1");
  let answer = "";
  const ended = new Promise<string>((resolve) => {
    socket.on("data", (chunk: Buffer) => {
      answer += chunk.toString();
      if (answer.includes("request_timeout")) resolve(answer);
    });
    socket.on("close", () => resolve(answer));
  });
  socket.write(
    [
      "POST /sessions HTTP/1.1",
      `Host: 127.0.0.1:${port}`,
      `Authorization: Bearer ${testToken}`,
      "Content-Type: application/json",
      "Content-Length: 100",
      "",
      '{"title":',
    ].join("\r\n"),
  );
  return { socket, ended };
}

describe("a body that does not come", () => {
  test("is given up after a while with 408", async () => {
    const clock = new WatchedClock();
    const { port } = await startServer({ clock, bodyTimeoutMs: 5_000 });
    const { socket, ended } = sendHalf(port);
    await clock.hasWaiter(5_000);
    await clock.advance(5_000);
    const answer = await ended;
    socket.destroy();
    expect(statusOf(answer)).toBe(408);
    expect(answer).toContain('"retryable":true');
  });

  test("leaves nothing behind when the sender goes away", async () => {
    const { port, request, errors } = await startServer();
    const { socket, ended } = sendHalf(port);
    socket.destroySoon();
    await ended;
    expect(await (await request("/sessions")).json()).toEqual({ sessions: [] });
    expect(errors).toEqual([]);
  });
});
