import { describe, expect, onTestFinished, test } from "vitest";
import { createMemoryStore } from "@turnwire/log";
import type { SessionEvent } from "@turnwire/protocol";
import type { SessionHost } from "../../../server/src/3-host/session-host.ts";
import type { SessionHostOptions } from "../../../server/src/3-host/creation/session-host-options.ts";
import type { Runtime } from "../runtime.ts";
import { AgentSession, ending, spoken } from "./agent-session.ts";

/** As much of a model's stand-in as the tests look at. */
interface Standin {
  readonly requests: readonly { readonly body: unknown }[];
  reached(gate: string): Promise<void>;
}

/** Where a real agent runs against a stand-in that knows the scenarios `text` and `hold`. */
interface LifePlace {
  readonly cwd: string;
  readonly standin: Standin;
}

export interface SessionLifeOptions {
  readonly place: LifePlace;
  readonly createRuntime: () => Runtime;
  readonly openHost: (options: Partial<SessionHostOptions>) => SessionHost;
  readonly livingAgents: () => Promise<number[]>;
  readonly killAgents: () => Promise<void>;
  /** The id of a provider session that there never was, in the provider's form. */
  readonly lostSession: string;
  /** Whether each live session has a process of its own. */
  readonly hasOwnProcess: boolean;
  /** Whether also a second runtime is refused a provider session that a first one writes to. */
  readonly isHeldAcrossRuntimes: boolean;
}

/** What the model was sent in its newest call, without the agent's own words. */
export function remembered(standin: Pick<Standin, "requests">): string[] {
  const { body } = standin.requests.at(-1) ?? {};
  const said = JSON.stringify(body).matchAll(/SCENARIO:text (\w+)/g);
  return Array.from(said, (match) => match[1] ?? "");
}

/** The promises that a session keeps across sleeps, servers and copies, with any agent that can do all of it. */
export function testSessionLife(options: SessionLifeOptions): void {
  testSleep(options);
  testForks(options);
  testRollbacks(options);
  testCompaction(options);
  testWriters(options);
  testEnd(options);
}

/** The same promises along longer ways. */
export function testLongSessionLife(options: Pick<SessionLifeOptions, "place" | "openHost">): void {
  testForksOfForks(options);
}

type HostOpener = (options?: Partial<SessionHostOptions>) => SessionHost;

/** Opens hosts that are closed with the test. */
function hostOpener({ openHost }: Pick<SessionLifeOptions, "openHost">): HostOpener {
  return (options = {}) => {
    const host = openHost(options);
    onTestFinished(() => host.close());
    return host;
  };
}

function testSleep(options: SessionLifeOptions): void {
  const { place, livingAgents, lostSession, hasOwnProcess } = options;
  const openHost = hostOpener(options);

  describe("a session that sleeps", () => {
    test("continues where it was, and holds no process meanwhile", async () => {
      const own = await AgentSession.create(openHost());
      await own.turn("SCENARIO:text first");
      const id = own.providerSessionId;
      expect(await livingAgents()).toHaveLength(1);
      await own.session.hibernate();
      expect(await livingAgents()).toHaveLength(hasOwnProcess ? 0 : 1);
      expect(ending(await own.turn("SCENARIO:text second")).results).toEqual(["success"]);
      expect(remembered(place.standin)).toEqual(["first", "second"]);
      expect(own.providerSessionId).toBe(id);
    });

    test("continues under another server, which finds no process of the first", async () => {
      const store = createMemoryStore();
      const earlier = openHost({ store });
      const own = await AgentSession.create(earlier);
      await own.turn("SCENARIO:text first");
      await earlier.close();
      expect(await livingAgents()).toEqual([]);
      const later = await AgentSession.open(openHost({ store }), own.session.id);
      await later.turn("SCENARIO:text second");
      expect(remembered(place.standin)).toEqual(["first", "second"]);
    });

    test("continues from its own log where the provider has lost it, with a notice", async () => {
      const host = openHost();
      const own = await AgentSession.create(host);
      const first = await own.say("SCENARIO:text first");
      await own.ended(first);
      await own.session.hibernate();
      const data = { provider_session_id: lostSession };
      await own.session.record([{ type: "session_updated", data }]);
      const { forked } = await own.execute({ type: "fork" });
      const events = await own.turn("SCENARIO:text second");
      expect(spoken(events)).toBe("second");
      expect(remembered(place.standin)).toEqual(["first", "second"]);
      expect(JSON.stringify(place.standin.requests.at(-1)?.body)).toContain("record of it is gone");
      expect(noticesIn(await own.events())).toContain("so it starts a new one");
      expect(own.providerSessionId).not.toBe(lostSession);
      // From here on it is a conversation like any other.
      await own.session.hibernate();
      await own.turn("SCENARIO:text third");
      expect(remembered(place.standin)).toEqual(["first", "second", "third"]);
      expect(noticesIn(await own.events()).match(/starts a new one/g)).toHaveLength(1);
      const copy = await AgentSession.open(host, forked?.session_id ?? "");
      await copy.turn("SCENARIO:text other");
      expect(remembered(place.standin)).toEqual(["first", "other"]);
    });

    test("can be woken, compacted and rolled back where the provider has lost it", async () => {
      const own = await AgentSession.create(openHost());
      const first = await own.say("SCENARIO:text first");
      await own.ended(first);
      await own.turn("SCENARIO:text second");
      await own.session.hibernate();
      const data = { provider_session_id: lostSession };
      await own.session.record([{ type: "session_updated", data }]);
      expect(await own.session.wake()).toMatchObject({ ok: true });
      await own.execute({ type: "rollback", turn_id: first });
      await own.turn("SCENARIO:text third");
      expect(remembered(place.standin)).toEqual(["third"]);
    });
  });
}

/** The notices of a session, as one text. */
function noticesIn(events: readonly SessionEvent[]): string {
  return events.flatMap((event) => (event.type === "notice" ? [event.data.text] : [])).join("\n");
}

function testForks(options: SessionLifeOptions): void {
  const { place } = options;
  const openHost = hostOpener(options);

  describe("a fork", () => {
    test("takes along the turns up to the one that is named", async () => {
      const host = openHost();
      const own = await AgentSession.create(host);
      const turnId = await own.say("SCENARIO:text first");
      await own.ended(turnId);
      await own.turn("SCENARIO:text second");
      const { forked } = await own.execute({ type: "fork", turn_id: turnId });
      const copy = await AgentSession.open(host, forked?.session_id ?? "");
      expect(copy.providerSessionId).not.toBe(own.providerSessionId);
      await copy.turn("SCENARIO:text other");
      expect(remembered(place.standin)).toEqual(["first", "other"]);
      await own.turn("SCENARIO:text third");
      expect(remembered(place.standin)).toEqual(["first", "second", "third"]);
    });

    test("knows nothing of the turn that runs meanwhile, with and without a turn named", async () => {
      const host = openHost();
      const own = await AgentSession.create(host);
      const turnId = await own.say("SCENARIO:text first");
      await own.ended(turnId);
      await own.say("SCENARIO:hold meanwhile SCENARIO:text running");
      await place.standin.reached("meanwhile SCENARIO:text running");
      for (const named of [{}, { turn_id: turnId }]) {
        const { forked } = await own.execute({ type: "fork", ...named });
        const copy = await AgentSession.open(host, forked?.session_id ?? "");
        await copy.turn("SCENARIO:text other");
        expect(remembered(place.standin)).toEqual(["first", "other"]);
      }
    });
  });
}

function testForksOfForks(options: Pick<SessionLifeOptions, "place" | "openHost">): void {
  const { place } = options;
  const openHost = hostOpener(options);

  describe("a fork", () => {
    test("of a fork, and of all turns", async () => {
      const host = openHost();
      const own = await AgentSession.create(host);
      await own.turn("SCENARIO:text first");
      const { forked } = await own.execute({ type: "fork" });
      const copy = await AgentSession.open(host, forked?.session_id ?? "");
      await copy.turn("SCENARIO:text second");
      const again = await copy.execute({ type: "fork" });
      const second = await AgentSession.open(host, again.forked?.session_id ?? "");
      await second.turn("SCENARIO:text third");
      expect(remembered(place.standin)).toEqual(["first", "second", "third"]);
    });

    test("of a fork that continued ends with a turn that the fork was made of", async () => {
      const host = openHost();
      const own = await AgentSession.create(host);
      const turnId = await own.say("SCENARIO:text first");
      await own.ended(turnId);
      await own.turn("SCENARIO:text second");
      const { forked } = await own.execute({ type: "fork" });
      const copy = await AgentSession.open(host, forked?.session_id ?? "");
      await copy.turn("SCENARIO:text third");
      const again = await copy.execute({ type: "fork", turn_id: turnId });
      const second = await AgentSession.open(host, again.forked?.session_id ?? "");
      await second.turn("SCENARIO:text fourth");
      expect(remembered(place.standin)).toEqual(["first", "fourth"]);
    });
  });
}

function testRollbacks(options: SessionLifeOptions): void {
  const { place, killAgents } = options;
  const openHost = hostOpener(options);

  describe("a rollback", () => {
    test("makes the agent forget the turn and all after it, also across a sleep and a kill", async () => {
      const own = await AgentSession.create(openHost());
      await own.turn("SCENARIO:text first");
      const second = await own.say("SCENARIO:text second");
      await own.ended(second);
      await own.turn("SCENARIO:text third");
      await own.execute({ type: "rollback", turn_id: second });
      await own.session.hibernate();
      await own.turn("SCENARIO:text fourth");
      expect(remembered(place.standin)).toEqual(["first", "fourth"]);
      await own.session.hibernate();
      await killAgents();
      await own.turn("SCENARIO:text fifth");
      expect(remembered(place.standin)).toEqual(["first", "fourth", "fifth"]);
    });

    test("of all turns starts over, also across a sleep and a kill", async () => {
      const own = await AgentSession.create(openHost());
      const first = await own.say("SCENARIO:text first");
      await own.ended(first);
      await own.execute({ type: "rollback", turn_id: first });
      await own.session.hibernate();
      await killAgents();
      await own.turn("SCENARIO:text second");
      expect(remembered(place.standin)).toEqual(["second"]);
    });
  });
}

function testCompaction(options: SessionLifeOptions): void {
  const { place } = options;
  const openHost = hostOpener(options);

  test("compaction shortens what the agent remembers and is reported; the next turn waits for it", async () => {
    const own = await AgentSession.create(openHost());
    await own.turn("SCENARIO:text first");
    await own.execute({ type: "compact" });
    const events = await own.turn("SCENARIO:text second");
    expect(ending(events).results).toEqual(["success"]);
    expect(spoken(events)).toBe("second");
    await own.until("compacted");
    expect(JSON.stringify(place.standin.requests.at(-1)?.body)).toContain("What was said so far.");
  });
}

function testWriters(options: SessionLifeOptions): void {
  const { place, createRuntime, isHeldAcrossRuntimes } = options;
  const openHost = hostOpener(options);

  function openRuntime(): Runtime {
    const runtime = createRuntime();
    onTestFinished(() => runtime.close?.());
    return runtime;
  }

  /** A run's options that resume a provider session without a writer. */
  async function leftSession() {
    const host = openHost();
    const own = await AgentSession.create(host);
    await own.turn("SCENARIO:text first");
    await host.close();
    return { sessionId: "one", cwd: place.cwd, resume: own.providerSessionId ?? "" };
  }

  const refused = { code: "resume_failed" };

  test("two runs never write to one provider session", async () => {
    const run = await leftSession();
    const runtime = openRuntime();
    const first = await runtime.createRun(run);
    await expect(runtime.createRun({ ...run, sessionId: "two" })).rejects.toMatchObject(refused);
    await first.close();
    const next = await runtime.createRun(run);
    await next.close();
  });

  test.skipIf(!isHeldAcrossRuntimes)("nor do the runs of two runtimes", async () => {
    const run = await leftSession();
    const first = await openRuntime().createRun(run);
    await expect(openRuntime().createRun(run)).rejects.toMatchObject(refused);
    await first.close();
  });
}

function testEnd(options: SessionLifeOptions): void {
  const { place, livingAgents } = options;
  const openHost = hostOpener(options);

  test("no process is left when the host is closed in the middle of turns", async () => {
    const host = openHost();
    const sessions = await Promise.all([1, 2].map(() => AgentSession.create(host)));
    await Promise.all(
      sessions.map(async (own, index) => {
        await own.say(`SCENARIO:hold open-${index}`);
        await place.standin.reached(`open-${index}`);
      }),
    );
    await host.close();
    expect(await livingAgents()).toEqual([]);
  });
}
