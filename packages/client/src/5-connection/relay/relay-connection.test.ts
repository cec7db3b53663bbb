import { describe, expect, onTestFinished, test, vi } from "vitest";
import { ManualPlatform } from "../../test-support/manual-platform.ts";
import { ScriptedRelaySocket } from "../../test-support/scripted-relay-socket.ts";
import { createRelayPlatform, RelayConnection } from "./relay-connection.ts";
import type { RelayLine } from "./relay-line.ts";

function connect({ isSilent = false, throws = false } = {}) {
  const manual = new ManualPlatform();
  const sockets: ScriptedRelaySocket[] = [];
  const states: string[] = [];
  const lines: RelayLine[] = [];
  const connection = new RelayConnection({
    url: "ws://127.0.0.1:8765/ws",
    isSilent,
    platform: {
      ...manual.platform,
      createSocket: (url) => {
        if (throws) throw new Error("SecurityError");
        const socket = new ScriptedRelaySocket(url);
        sockets.push(socket);
        return socket;
      },
    },
    onState: ({ type }) => states.push(type),
    onLine: (line) => lines.push(line),
  });
  const last = (): ScriptedRelaySocket => {
    const socket = sockets.at(-1);
    if (!socket) throw new Error("No socket was opened");
    return socket;
  };
  return { manual, sockets, states, lines, connection, last };
}

describe("following a relay", () => {
  test("comes back after a cut, by itself", () => {
    const { manual, sockets, states, lines, last } = connect();
    last().open();
    last().say({ type: "result", session_id: "s1" });
    last().end();
    expect(states).toEqual(["open", "waiting"]);
    manual.advance(1000);
    expect(sockets.length).toBe(2);
    last().open();
    last().say({ type: "result", session_id: "s2" });
    expect(lines).toMatchObject([{ sessionId: "s1" }, { sessionId: "s2" }]);
    expect(states).toEqual(["open", "waiting", "connecting", "open"]);
  });

  test("hears nothing of a socket that was replaced", () => {
    const { manual, sockets, states, lines, last } = connect();
    const first = last();
    first.open();
    first.end();
    manual.advance(1000);
    last().open();
    first.say({ type: "result", session_id: "old" });
    first.end();
    expect(lines).toEqual([]);
    expect(states.at(-1)).toBe("open");
    expect(sockets.length).toBe(2);
  });

  test("gives up a handshake that is never answered", () => {
    const { manual, states, last } = connect({ isSilent: true });
    manual.advance(4000);
    expect(last().isClosed).toBe(true);
    expect(states).toEqual(["closed"]);
    expect(manual.timerCount).toBe(0);
  });

  test("takes a browser that throws at the address as a connection that failed", () => {
    const { manual, states } = connect({ isSilent: true, throws: true });
    expect(states).toEqual([]);
    manual.advance(0);
    expect(states).toEqual(["closed"]);
  });

  test.each([0, 500])("leaves no socket and no timer when it is stopped after %d ms", (ms) => {
    const { manual, connection, sockets, last } = connect();
    if (ms > 0) last().end();
    manual.advance(ms);
    connection.stop();
    expect(manual.timerCount).toBe(0);
    expect(ms > 0 || last().isClosed).toBe(true);
    manual.advance(60_000);
    expect(sockets.length).toBe(1);
  });

  test("starts each connection without the rest of a line that the last one left", () => {
    const { manual, lines, last } = connect();
    last().open();
    last().sayRaw('{"type":"result","session');
    last().end();
    manual.advance(1000);
    last().open();
    last().say({ type: "result", session_id: "s1" });
    expect(lines).toMatchObject([{ sessionId: "s1", isRecovered: false }]);
  });

  test("needs a WebSocket, and says so at once", () => {
    vi.stubGlobal("WebSocket", undefined);
    onTestFinished(() => {
      vi.unstubAllGlobals();
    });
    expect(() => createRelayPlatform()).toThrow("pass createSocket");
  });
});
