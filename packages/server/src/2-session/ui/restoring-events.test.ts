import {
  checkGrammar,
  type CommandOf,
  draft,
  type EventDraft,
  type JsonObject,
  type SessionState,
  type Surface,
} from "@turnwire/protocol";
import { describe, expect, test } from "vitest";
import { eventWhere, readAll } from "../../test-support/log-reader.ts";
import type { ScriptedRun } from "../../test-support/scripted-runtime.ts";
import { admin, createTestSession, openTestHost } from "../../test-support/test-host.ts";
import type { Session } from "../session.ts";

function shown(id: string, surface: Surface, props: JsonObject, more: object = {}): EventDraft {
  const data = { component_id: id, name: "card", surface, props, merge: false };
  return draft("component_update", { ...data, ...more });
}

/** Plays a turn in which the agent does this. */
async function turn(session: Session, run: ScriptedRun, ...drafts: EventDraft[]): Promise<string> {
  const before = run.asked.filter(({ type }) => type === "send").length;
  await session.execute({ type: "user_message", content: "go" }, admin);
  const { input } = await run.wasAsked("send", before + 1);
  run.say(...drafts);
  run.finish(input.turnId);
  await eventWhere(session.log, ({ type, turn_id }) => type === "done" && turn_id === input.turnId);
  return input.turnId;
}

async function opened(options: Parameters<typeof openTestHost>[0] = {}) {
  const { host, runtime } = openTestHost(options);
  const session = await createTestSession(host);
  const waking = session.wake();
  const run = await runtime.run();
  await waking;
  return { host, session, run };
}

/** What a person sees of components and shared state. */
function picture({ messages, surfaces, shared }: SessionState) {
  const inChat = messages.flatMap((message) =>
    message.role === "agent"
      ? message.blocks.flatMap((block) =>
          block.type === "component" ? [[block.component_id, block.props, message.turn_id]] : [],
        )
      : [],
  );
  const placed = Object.values(surfaces)
    .flat()
    .map(({ component_id, surface, props }) => [component_id, surface, props]);
  return { inChat, placed, shared };
}

async function pictureOf(session: Session) {
  return picture((await session.snapshot()).state);
}

async function act(session: Session, component_id: string) {
  const command: CommandOf<"component_callback"> = {
    type: "component_callback",
    component_id,
    action: "click",
    payload: {},
  };
  const answer = await session.execute(command, admin);
  return answer.ok ? "taken" : answer.error.code;
}

const large = { rows: Array.from({ length: 60_000 }, (_, index) => index) };

describe("a rollback", () => {
  test("takes back the components and the shared state of the turns that it removes", async () => {
    const { session, run } = await opened();
    await turn(
      session,
      run,
      shown("chart", "chat", { bars: [1] }),
      shown("plan", "sidebar", { steps: ["a"] }),
      shown("big", "panel", large),
      shown("moved", "chat", { at: "chat" }),
      draft("state_snapshot", { state: { count: 1 } }),
    );
    const before = await pictureOf(session);
    const second = await turn(
      session,
      run,
      shown("chart", "chat", { bars: [1, 2] }),
      shown("plan", "canvas", { steps: ["b"] }),
      shown("new", "sidebar", {}),
      shown("said", "chat", {}),
      shown("moved", "overlay", { at: "overlay" }),
      draft("component_remove", { component_id: "big" }),
      draft("state_delta", { patches: [{ op: "replace", path: "/count", value: 2 }] }),
    );
    await turn(session, run, shown("plan", "canvas", { steps: ["c"] }, { merge: true }));
    const sizeBefore = (await readAll(session.log)).length;
    const answer = await session.execute({ type: "rollback", turn_id: second }, admin);
    expect(answer).toMatchObject({ ok: true });
    expect(await pictureOf(session)).toEqual(before);
    const events = await readAll(session.log);
    expect(checkGrammar(events)).toEqual([]);
    expect(events.slice(sizeBefore)[0]).toMatchObject({ type: "rolled_back" });
    expect(events.at(-1)).toMatchObject({ type: "state_snapshot", data: { state: { count: 1 } } });
    expect((await run.wasAsked("shared")).state).toEqual({ count: 1 });
    expect(await act(session, "new")).toBe("component_gone");
    expect(await act(session, "said")).toBe("component_gone");
    expect(await act(session, "plan")).toBe("taken");
    const restored = events.slice(sizeBefore).find(({ type }) => type === "component_update");
    expect(restored?.data).toMatchObject({ by: "admin" });
    const panel = (await session.snapshot()).state.surfaces.panel[0];
    expect(panel?.attachments).toHaveLength(1);
    const [attachment] = panel?.attachments ?? [];
    expect(await session.log.readAttachment(attachment?.digest ?? "")).toBeDefined();
  });

  test("leaves what belongs to none of its turns, also what came during it", async () => {
    const { session, run } = await opened();
    await turn(session, run, draft("state_snapshot", { state: { todos: ["a"] } }));
    const patch = (path: string) => {
      const patches = [{ op: "add" as const, path, value: "mine" }];
      return session.execute({ type: "state_patch", patches }, admin);
    };
    const second = await turn(
      session,
      run,
      shown("agents", "sidebar", {}),
      draft("state_delta", { patches: [{ op: "add", path: "/plan", value: {} }] }),
    );
    await session.record([shown("between", "sidebar", {})]);
    await patch("/todos/-");
    // This has no place without the undone turn.
    await patch("/plan/step");
    const rollback = run.rollback.bind(run);
    run.rollback = async (options) => {
      await session.record([shown("during", "panel", {})]);
      await patch("/during");
      return rollback(options);
    };
    await session.execute({ type: "rollback", turn_id: second }, admin);
    expect(await pictureOf(session)).toEqual({
      inChat: [],
      placed: [
        ["between", "sidebar", {}],
        ["during", "panel", {}],
      ],
      shared: { todos: ["a", "mine"], during: "mine" },
    });
  });

  test("leaves no trace beside itself where nothing was shown", async () => {
    const { session, run } = await opened();
    await turn(session, run, shown("c", "sidebar", {}));
    const second = await turn(session, run);
    await session.execute({ type: "rollback", turn_id: second }, admin);
    expect((await readAll(session.log)).at(-1)).toMatchObject({ type: "rolled_back" });
    expect(run.asked.filter(({ type }) => type === "shared")).toEqual([]);
  });

  test("of all turns leaves nothing that they showed, also after the session was loaded again", async () => {
    const { host, session, run } = await opened();
    const first = await turn(
      session,
      run,
      shown("c", "chat", {}),
      shown("s", "sidebar", {}),
      draft("state_snapshot", { state: [1] }),
    );
    await turn(session, run, shown("s", "sidebar", { again: true }));
    await session.execute({ type: "rollback", turn_id: first }, admin);
    expect(await pictureOf(session)).toEqual({ inChat: [], placed: [], shared: {} });
    await session.end({ type: "release" });
    const loaded = await host.open(session.id, admin);
    if (!loaded.ok) throw new Error(loaded.error.message);
    expect(await act(loaded.value, "c")).toBe("component_gone");
    expect(await act(loaded.value, "s")).toBe("component_gone");
  });

  test("whose turn has been removed by retention still happens", async () => {
    const { session, run } = await opened({ retainEvents: 4 });
    const first = await turn(session, run, shown("c", "chat", {}), shown("s", "sidebar", {}));
    for (let count = 0; count < 6; count++) await turn(session, run);
    expect(session.log.oldest).toBeGreaterThan(5);
    expect(await session.execute({ type: "rollback", turn_id: first }, admin)).toMatchObject({
      ok: true,
    });
    expect((await pictureOf(session)).inChat).toEqual([]);
  });
});

describe("a fork", () => {
  async function forked(
    session: Session,
    host: Awaited<ReturnType<typeof opened>>["host"],
    turn_id?: string,
  ) {
    const answer = await session.execute({ type: "fork", ...(turn_id && { turn_id }) }, admin);
    if (!answer.ok || !answer.value.forked) throw new Error("no copy");
    const copy = await host.open(answer.value.forked.session_id, admin);
    if (!copy.ok) throw new Error(copy.error.message);
    return copy.value;
  }

  test("has what happened between turns up to its own end, and not what came later", async () => {
    const { host, session, run } = await opened();
    const first = await turn(
      session,
      run,
      shown("c", "chat", { n: 1 }),
      shown("gone", "sidebar", {}),
      shown("big", "panel", large),
    );
    // In no turn: a back end does this, for example.
    await session.record([
      shown("c", "chat", { n: 2 }),
      shown("between", "sidebar", {}),
      draft("component_remove", { component_id: "gone" }),
      shown("big", "canvas", large),
    ]);
    const between = await pictureOf(session);
    await turn(session, run, shown("c", "chat", { n: 3 }), shown("later", "sidebar", {}));
    const early = await forked(session, host, first);
    expect(await pictureOf(early)).toEqual(between);
    expect(await act(early, "between")).toBe("taken");
    expect(await act(early, "gone")).toBe("component_gone");
    await session.record([shown("c", "chat", { n: 4 })]);
    expect(await pictureOf(await forked(session, host))).toEqual(await pictureOf(session));
  });

  test("of a session that was rolled back shows what that one shows", async () => {
    const { host, session, run } = await opened();
    await turn(session, run, shown("c", "chat", { n: 1 }));
    const second = await turn(
      session,
      run,
      shown("c", "sidebar", { n: 2 }),
      shown("d", "chat", {}),
    );
    await session.execute({ type: "rollback", turn_id: second }, admin);
    await turn(session, run, shown("e", "sidebar", {}));
    expect(await pictureOf(await forked(session, host))).toEqual(await pictureOf(session));
  });
});
