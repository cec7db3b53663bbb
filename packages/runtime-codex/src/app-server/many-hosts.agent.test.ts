import { createMemoryStore, type Store } from "@turnwire/log";
import type { SessionEvent } from "@turnwire/protocol";
import { randomUUID } from "node:crypto";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { SessionHost } from "../../../server/src/3-host/session-host.ts";
import { AgentSession } from "../../../runtime/src/test-support/agent-session.ts";
import { useCodexPlace } from "../test-support/codex-place.ts";

const place = useCodexPlace();

const unavailable = { code: "workspace_unavailable", retryable: false };

/** A home with the settings of the place and without its threads, as another machine has it. */
async function otherHome(): Promise<{ home: string; env: Record<string, string> }> {
  const home = join(place.directory, randomUUID());
  await cp(join(place.home.path, "config.toml"), join(home, "config.toml"), { recursive: true });
  return { home, env: { ...place.home.env, CODEX_HOME: home } };
}

type Opener = (store: Store, home?: Awaited<ReturnType<typeof otherHome>>) => SessionHost;

const openers: Readonly<Record<string, Opener>> = {
  "an app-server": (store, home) => place.openHost(home, { store }),
  "codex exec": (store, home) =>
    place.openHost(
      {},
      { store, runtimes: [place.createExecRuntime(home)], defaultRuntime: "codex-exec" },
    ),
};

/** What the model was sent in its newest call. */
function remembered(): string[] {
  const body = JSON.stringify(place.standin.requests.at(-1)?.body);
  return Array.from(body.matchAll(/SCENARIO:text (\w+)/g), ([, word = ""]) => word);
}

function errorsIn(events: readonly SessionEvent[]): unknown[] {
  return events.flatMap((event) => (event.type === "error" ? [event.data] : []));
}

describe.each(Object.entries(openers))("a thread of %s", (_name, open) => {
  function openHost(...options: Parameters<Opener>): SessionHost {
    const host = open(...options);
    onTestFinished(() => host.close());
    return host;
  }

  test("continues on every host that shares CODEX_HOME", async () => {
    const store = createMemoryStore({ isShared: true });
    const first = openHost(store);
    const own = await AgentSession.create(first);
    await own.turn("SCENARIO:text one");
    await first.close();
    const moved = await AgentSession.open(openHost(store), own.session.id);
    await moved.turn("SCENARIO:text two");
    expect(remembered()).toEqual(["one", "two"]);
  });

  test("is refused on a host with another CODEX_HOME: no other thread begins, and nothing is asked of the model", async () => {
    const store = createMemoryStore({ isShared: true });
    const first = openHost(store);
    const own = await AgentSession.create(first);
    await own.turn("SCENARIO:text one");
    await first.close();
    const moved = await AgentSession.open(openHost(store, await otherHome()), own.session.id);
    const calls = place.standin.requests.length;
    expect(await moved.session.wake()).toMatchObject({ ok: false, error: unavailable });
    expect(errorsIn(await moved.turn("SCENARIO:text two"))).toMatchObject([unavailable]);
    expect(place.standin.requests).toHaveLength(calls);
    expect(moved.providerSessionId).toBe(own.providerSessionId);
    await moved.session.end({ type: "release" });
    const back = await AgentSession.open(openHost(store), own.session.id);
    await back.turn("SCENARIO:text three");
    expect(remembered()).toEqual(["one", "three"]);
  });
});

test("a thread of another CODEX_HOME can be neither forked nor rolled back", async () => {
  const store = createMemoryStore({ isShared: true });
  const first = place.openHost({}, { store });
  const own = await AgentSession.create(first);
  const [started] = await own.turn("SCENARIO:text one");
  await first.close();
  const other = place.openHost(await otherHome(), { store });
  onTestFinished(() => other.close());
  const moved = await AgentSession.open(other, own.session.id);
  const admin = { id: "local", isAdmin: true };
  const rollback = { type: "rollback", turn_id: started?.turn_id ?? "" } as const;
  for (const command of [{ type: "fork" } as const, rollback]) {
    const answer = await moved.session.execute(command, admin);
    expect(answer).toMatchObject({ ok: false, error: unavailable });
  }
  expect(await store.listSessions({ limit: 10 })).toHaveLength(1);
});
