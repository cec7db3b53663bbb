import { describe, expect, onTestFinished, test } from "vitest";
import { ManualPlatform } from "../../test-support/manual-platform.ts";
import { ScriptedRelaySocket } from "../../test-support/scripted-relay-socket.ts";
import { RelayDiscovery, relayPorts, type RelayDiscoveryOptions } from "./relay-discovery.ts";

const init = { type: "system", subtype: "init", session_id: "s1", model: "m", cwd: "/srv/app" };

/** A machine on which relays come and go. */
class Machine {
  readonly manual = new ManualPlatform();
  readonly sockets: ScriptedRelaySocket[] = [];
  readonly discovery: RelayDiscovery;
  changes = 0;

  constructor(options: RelayDiscoveryOptions = {}) {
    const { startTimer, random, reportError } = this.manual.platform;
    this.discovery = new RelayDiscovery({
      startTimer,
      random,
      reportError,
      createSocket: (url) => {
        const socket = new ScriptedRelaySocket(url);
        this.sockets.push(socket);
        return socket;
      },
      ...options,
    });
    this.discovery.subscribe(() => {
      this.changes += 1;
    });
    onTestFinished(() => this.discovery.close());
  }

  /** Until what was asked of the probe has been answered and acted on. */
  async settle(): Promise<void> {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }

  async look(): Promise<void> {
    this.manual.advance(5000);
    await this.settle();
  }

  socket(port: number): ScriptedRelaySocket {
    const socket = this.sockets.findLast(({ url }) => url === `ws://127.0.0.1:${port}/ws`);
    if (!socket) throw new Error(`No connection to port ${port}`);
    return socket;
  }
}

describe("discovery of relays", () => {
  test("tries the ports 8765 to 8774 every five seconds, those that are open not again", async () => {
    const machine = new Machine();
    await machine.settle();
    expect(machine.sockets.map(({ url }) => url)).toEqual(
      relayPorts.map((port) => `ws://127.0.0.1:${port}/ws`),
    );
    expect(relayPorts).toEqual([8765, 8766, 8767, 8768, 8769, 8770, 8771, 8772, 8773, 8774]);
    machine.socket(8766).open();
    for (const socket of machine.sockets) if (!socket.url.includes("8766")) socket.end();
    await machine.look();
    expect(machine.sockets.length).toBe(10 + 9);
  });

  test("shows a relay that is there, its sessions as they appear, and nothing when it is gone", async () => {
    const machine = new Machine({ ports: [8765] });
    await machine.settle();
    expect(machine.discovery.getState()).toEqual([]);
    machine.socket(8765).open();
    expect(machine.discovery.getState()).toEqual([
      { port: 8765, url: "ws://127.0.0.1:8765/ws", agents: [] },
    ]);
    machine.socket(8765).say(init, { type: "assistant", session_id: "s1" });
    expect(machine.discovery.getState()).toMatchObject([
      { agents: [{ sessionId: "s1", status: "connected", model: "m", cwd: "/srv/app" }] },
    ]);
    machine.socket(8765).say({ type: "status", text: "claude code disconnected" });
    expect(machine.discovery.getState()).toMatchObject([{ agents: [{ status: "disconnected" }] }]);
    machine.socket(8765).end();
    expect(machine.discovery.getState()).toEqual([]);
  });

  test("finds a relay that comes back with the next look, without backoff", async () => {
    const machine = new Machine({ ports: [8765] });
    await machine.settle();
    machine.socket(8765).open();
    machine.socket(8765).say(init, { type: "assistant", session_id: "s1" });
    machine.socket(8765).end();
    machine.manual.advance(4999);
    expect(machine.sockets.length).toBe(1);
    await machine.look();
    machine.socket(8765).open();
    machine.socket(8765).say({ ...init, session_id: "s2" });
    expect(machine.discovery.getState()).toMatchObject([
      {
        agents: [
          { sessionId: "s1", status: "disconnected" },
          { sessionId: "s2", status: "connected" },
        ],
      },
    ]);
  });

  test("connects only where a probe says that something is", async () => {
    const asked: (readonly number[])[] = [];
    const machine = new Machine({
      ports: [8765, 8766],
      probe: async (ports) => {
        asked.push(ports);
        return [8766, 4747];
      },
    });
    await machine.settle();
    expect(machine.sockets.map(({ url }) => url)).toEqual(["ws://127.0.0.1:8766/ws"]);
    machine.socket(8766).open();
    await machine.look();
    expect(asked).toEqual([[8765, 8766], [8765]]);
  });

  test("survives a probe that fails, and does not start a second one beside a slow one", async () => {
    let calls = 0;
    let answer: (ports: readonly number[]) => void = () => {};
    const machine = new Machine({
      ports: [8765],
      probe: () => {
        calls += 1;
        if (calls === 1) return Promise.reject(new Error("offline"));
        return new Promise((resolve) => {
          answer = resolve;
        });
      },
    });
    await machine.settle();
    await machine.look();
    await machine.look();
    await machine.look();
    expect(calls).toBe(2);
    answer([8765]);
    await machine.settle();
    expect(machine.sockets.length).toBe(1);
    expect(machine.manual.errors).toEqual([]);
  });

  test("changes nothing while nothing happens: ports that stay closed, tokens of one answer", async () => {
    const machine = new Machine({ ports: [8765, 8766] });
    await machine.settle();
    for (let round = 0; round < 3; round += 1) {
      machine.socket(8766).end();
      await machine.look();
    }
    expect(machine.changes).toBe(0);
    machine.socket(8765).open();
    machine.socket(8765).say(init, { type: "assistant", session_id: "s1" });
    const before = machine.changes;
    for (let token = 0; token < 100; token += 1) {
      machine.socket(8765).say({ type: "stream_event", session_id: "s1" });
    }
    expect(machine.changes).toBe(before);
  });

  test("leaves nothing when it is closed, also while a probe runs", async () => {
    const machine = new Machine({ ports: [8765] });
    await machine.settle();
    machine.socket(8765).open();
    await machine.look();
    machine.discovery.close();
    expect(machine.socket(8765).isClosed).toBe(true);
    expect(machine.manual.timerCount).toBe(0);
    const other = new Machine({ ports: [8765] });
    other.discovery.close();
    await other.settle();
    expect(other.sockets).toEqual([]);
    expect(other.manual.timerCount).toBe(0);
  });
});
