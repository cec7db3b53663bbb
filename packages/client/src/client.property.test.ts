import { eventLogArbitrary } from "@turnwire/conformance/event-log-arbitrary";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { foldAll, initialState } from "@turnwire/protocol";
import { createClient, type TurnwireClient } from "./client.ts";
import { createHastyPlatform } from "./test-support/hasty-platform.ts";
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
  bytes: fc.oneof(fc.nat({ max: 500 }), fc.nat({ max: 20_000 })),
  end: fc.constantFrom("destroy", "close"),
});

const log = eventLogArbitrary({ maxSteps: 40 });
const closedLog = eventLogArbitrary({ maxSteps: 40, isClosed: true });
const cuts = fc.array(cut, { maxLength: 6 });

describe("whatever bytes a line is cut at, and however often", () => {
  test("a session's final state is the fold over the whole log", async () => {
    await fc.assert(
      fc.asyncProperty(log, cuts, fc.nat(), async (events, plans, split) => {
        const id = `p${++sessionCount}`;
        const present = split % (events.length + 1);
        const remote = server.addSession(id, events.slice(0, present));
        remote.plans.push(...plans);
        const session = client.openSession(id, { start: "beginning" });
        await session.waitFor(({ connection }) => connection.status === "live");
        remote.append(...events.slice(present));
        await session.waitFor((view) => view.session.seq === events.length);
        expect(session.getState().session).toEqual(foldAll(initialState(), events));
        expect(session.getState().connection.status).not.toBe("failed");
        session.close();
      }),
      { numRuns: 60 },
    );
  });

  test("a raw tail gives every event once, in order, and then its end", async () => {
    await fc.assert(
      fc.asyncProperty(closedLog, cuts, fc.nat(), async (events, plans, start) => {
        const id = `p${++sessionCount}`;
        const remote = server.addSession(id, events);
        remote.plans.push(...plans);
        const after = start % events.length;
        const read: unknown[] = [];
        for await (const event of client.events(id, { after })) read.push(event);
        expect(read).toEqual(events.slice(after));
      }),
      { numRuns: 60 },
    );
  });

  test("retention that removes events in between leads to the same state by a snapshot", async () => {
    await fc.assert(
      fc.asyncProperty(log, cuts, fc.nat(), async (events, plans, trim) => {
        const id = `p${++sessionCount}`;
        const remote = server.addSession(id, events);
        remote.plans.push(...plans);
        remote.trimmed = trim % (events.length + 1);
        const session = client.openSession(id, { start: "beginning" });
        await session.waitFor((view) => view.session.seq === events.length);
        expect(session.getState().session).toEqual(foldAll(initialState(), events));
        session.close();
      }),
      { numRuns: 40 },
    );
  });
});
