import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, onTestFinished, test } from "vitest";
import { openSqliteStore, type Store } from "@turnwire/log";
import {
  appendTexts,
  metricIs,
  startServer,
  testToken,
  type RunningServer,
} from "./running-server.ts";
import { openSse, readSse } from "./sse-reader.ts";

export async function withSession(options: Parameters<typeof startServer>[0] = {}) {
  const running = await startServer(options);
  const id = await running.createSession();
  const session = await running.session(id);
  return { ...running, id, session, stream: `${running.url}/sessions/${id}/events` };
}

/** A reader that asks for a stream and then takes nothing. */
export async function stall({ port }: Pick<RunningServer, "port">, id: string): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  socket.pause();
  socket.on("error", () => undefined);
  const lines = [
    `GET /sessions/${id}/events HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    `Authorization: Bearer ${testToken}`,
  ];
  socket.write(`${lines.join("\r\n")}\r\n\r\n`);
  await once(socket, "ready");
  return socket;
}

const MEBIBYTE = 1024 * 1024;

async function openTestStore(): Promise<Store> {
  const directory = await mkdtemp(join(tmpdir(), "turnwire-store-"));
  const store = await openSqliteStore({ path: join(directory, "events.db"), durability: "fast" });
  onTestFinished(async () => {
    await store.close();
    await rm(directory, { recursive: true, force: true });
  });
  return store;
}

/** What is really held, after the garbage is gone. */
function memoryInUse(): number {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  // Buffers of the first round are only counted off when the second one begins.
  collect();
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** Watches ids go by without keeping anything. */
function countFrames(response: IncomingMessage, last: number) {
  let tail = "";
  let seen = 1;
  let isInOrder = true;
  let look: () => void = () => undefined;
  const inOrder = new Promise<boolean>((resolve) => {
    response.on("data", (chunk: Buffer) => {
      const text = tail + chunk.toString("latin1");
      let end = 0;
      for (const match of text.matchAll(/id: ([0-9]+)\nevent/g)) {
        isInOrder &&= Number(match[1]) === seen + 1;
        seen = Number(match[1]);
        end = match.index + match[0].length;
      }
      tail = text.slice(end).slice(-30);
      look();
      if (seen === last || !isInOrder) resolve(isInOrder);
    });
  });
  const reached = (seq: number): Promise<void> =>
    new Promise((resolve) => {
      look = () => {
        if (seen >= seq) resolve();
      };
      look();
    });
  return { inOrder, reached };
}

/** One reader gets so many megabytes while others take nothing. */
export function testStalledReaders(rounds: number): void {
  describe("a reader that takes nothing", () => {
    test(`delays no one: five stall while a sixth gets ${rounds} MB, and memory stays flat`, async () => {
      const store = await openTestStore();
      const running = await withSession({ hostOptions: { store, ringSize: 100 } });
      const { session, stream, id } = running;
      const stalled = await Promise.all(Array.from({ length: 5 }, () => stall(running, id)));
      const { response, outgoing } = await openSse(`${stream}?after=1`);
      await metricIs(running, "turnwire_subscribers", 6);
      const batch = Array.from({ length: 50 }, () => "x".repeat(20_000));
      const reading = countFrames(response, 1 + rounds * batch.length);
      const inUse: number[] = [];
      for (let round = 0; round < rounds; round++) {
        await appendTexts(session, batch);
        await reading.reached(1 + (round + 1) * batch.length);
        if ((round + 1) % (rounds / 5) === 0) inUse.push(memoryInUse());
      }
      expect(await reading.inOrder).toBe(true);
      const [filled = 0, ...later] = inUse;
      expect(Math.max(...later) - filled).toBeLessThan(8 * MEBIBYTE);
      for (const socket of stalled) socket.destroy();
      outgoing.destroy();
    });
  });
}

/** Twenty readers at once, so many times. */
export function testVisits(rounds: number): void {
  describe("readers that come and go", () => {
    test(`${20 * rounds} of them leave nothing behind`, async () => {
      const running = await withSession();
      const { port, id, session } = running;
      const request = `GET /sessions/${id}/events HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${testToken}\r\n\r\n`;
      const visit = async (index: number): Promise<void> => {
        const socket = connect(port, "127.0.0.1");
        socket.on("error", () => undefined);
        socket.write(request);
        if (index % 3 !== 0) await once(socket, "data");
        if (index % 2 === 0) socket.resetAndDestroy();
        else socket.destroy();
      };
      for (let round = 0; round < rounds; round++) {
        await Promise.all(Array.from({ length: 20 }, (_, index) => visit(index)));
      }
      await metricIs(running, "turnwire_subscribers", 0);
      await appendTexts(session, ["still here"]);
      const reader = await readSse(running.stream);
      await reader.until(() => reader.frames.length === 2);
      reader.close();
      expect(running.errors).toEqual([]);
    });
  });
}
