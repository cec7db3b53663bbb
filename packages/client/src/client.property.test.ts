import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { foldAll, initialState } from "@turnwire/protocol";
import { createClient, type TurnwireClient } from "./client.ts";
import { createHastyPlatform } from "./test-support/hasty-platform.ts";
import { logArbitrary } from "./test-support/log-arbitrary.ts";
import { closed, placed } from "./test-support/sample-event.ts";
import { ScriptedServer } from "./test-support/scripted-server.ts";
import type { StreamPlan } from "./test-support/scripted-session.ts";

let server: ScriptedServer;
let client: TurnwireClient;
let sessionCount = 0;

beforeAll(async () => {
  server = await ScriptedServer.start();
  const { platform } = createHastyPlatform();
  client = createClient({ url: server.url, token: server.token, ...platform });
});

afterAll(() => server.close());

const cut: fc.Arbitrary<StreamPlan> = fc.record({
  bytes: fc.nat({ max: 2_000 }),
  end: fc.constantFrom("destroy", "close"),
});

/** A log, how its first streams are cut, and how much of it is there when the reader comes. */
const scene = fc.record({
  log: logArbitrary,
  cuts: fc.array(cut, { maxLength: 6 }),
  present: fc.double({ min: 0, max: 1, noNaN: true }),
});

describe("whatever bytes a line is cut at, and however often", () => {
  test("a session's final state is the fold over the whole log", async () => {
    await fc.assert(
      fc.asyncProperty(scene, async ({ log, cuts, present }) => {
        const id = `p${++sessionCount}`;
        const first = Math.max(1, Math.floor(log.length * present));
        const remote = server.addSession(id, log.slice(0, first));
        remote.plans.push(...cuts);
        const session = client.openSession(id, { start: "beginning" });
        await session.waitFor(({ connection }) => connection.status === "live");
        remote.append(...log.slice(first));
        await session.waitFor((view) => view.session.seq === log.length);
        expect(session.getState().session).toEqual(foldAll(initialState(), log));
        expect(session.getState().connection.status).not.toBe("failed");
        session.close();
      }),
      { numRuns: 60 },
    );
  });

  test("a raw tail gives every event once, in order, and then its end", async () => {
    await fc.assert(
      fc.asyncProperty(scene, fc.nat(), async ({ log, cuts }, start) => {
        const id = `p${++sessionCount}`;
        const whole = [...log, ...placed([closed], log.length)];
        const remote = server.addSession(id, whole);
        remote.plans.push(...cuts);
        const after = start % log.length;
        const read: unknown[] = [];
        for await (const event of client.events(id, { after })) read.push(event);
        expect(read).toEqual(whole.slice(after));
      }),
      { numRuns: 60 },
    );
  });

  test("retention that removes events in between leads to the same state by a snapshot", async () => {
    await fc.assert(
      fc.asyncProperty(scene, fc.nat(), async ({ log, cuts }, trim) => {
        const id = `p${++sessionCount}`;
        const remote = server.addSession(id, log);
        remote.plans.push(...cuts);
        remote.trimmed = trim % (log.length + 1);
        const session = client.openSession(id, { start: "beginning" });
        await session.waitFor((view) => view.session.seq === log.length);
        expect(session.getState().session).toEqual(foldAll(initialState(), log));
        session.close();
      }),
      { numRuns: 40 },
    );
  });
});
