import { draft, type SessionEvent } from "@turnwire/protocol";
import { describe, expect, test } from "vitest";
import { createMemoryStore, StoreError } from "@turnwire/log";
import { RuntimeError } from "@turnwire/runtime";
import { interceptAppends } from "../../../log/src/test-support/intercepted-store.ts";
import { eventOf, readAll } from "../test-support/log-reader.ts";
import { admin, createTestSession, openTestHost } from "../test-support/test-host.ts";
import type { Session } from "./session.ts";

function say(session: Session, text: string, more: object = {}) {
  return session.execute({ type: "user_message", content: text, ...more }, admin);
}

function typesOf(events: readonly SessionEvent[]): string[] {
  return events.map((event) => event.type);
}

const askPermission = draft("permission_request", {
  correlation_id: "ask-1",
  tool_name: "Bash",
  tool_input: { command: "rm -r build" },
});

describe("a session", () => {
  test("records a message, then its turn, then hands it to the agent", async () => {
    const { host, runtime } = openTestHost();
    const session = await createTestSession(host);
    const sent = await say(session, "hello");
    expect(sent).toMatchObject({ ok: true, value: { seq: 2 } });
    const run = await runtime.run();
    const { input } = await run.wasAsked("send");
    expect(input.content).toEqual([{ type: "text", text: "hello" }]);
    run.say(draft("delta", { message_id: "m", text: "hi" }));
    run.finish(input.turnId);
    await eventOf(session.log, "done");
    expect(typesOf(await readAll(session.log))).toEqual([
      "session_ready",
      "user_message",
      "turn_started",
      "delta",
      "result",
      "done",
    ]);
    expect(session.info()).toMatchObject({ status: "live", activity: "idle", head: 6 });
  });

  test("queues messages during a turn and runs them in order, one turn each", async () => {
    const { host, runtime } = openTestHost();
    const session = await createTestSession(host);
    await say(session, "one");
    const run = await runtime.run();
    const first = await run.wasAsked("send", 1);
    await say(session, "two");
    await say(session, "three");
    expect(session.control.queue.map((message) => message.delivery)).toEqual(["queue", "queue"]);
    run.finish(first.input.turnId);
    const second = await run.wasAsked("send", 2);
    run.finish(second.input.turnId);
    const third = await run.wasAsked("send", 3);
    run.finish(third.input.turnId);
    await eventOf(session.log, "done", 3);
    expect([first, second, third].map(({ input }) => input.content[0])).toEqual([
      { type: "text", text: "one" },
      { type: "text", text: "two" },
      { type: "text", text: "three" },
    ]);
  });

  test("takes back a message that waits, and no other", async () => {
    const { host, runtime } = openTestHost();
    const session = await createTestSession(host);
    await say(session, "one");
    const run = await runtime.run();
    const first = await run.wasAsked("send", 1);
    await say(session, "two");
    await say(session, "three");
    const cancel = (message_id = "") =>
      session.execute({ type: "cancel_message", message_id }, admin);
    const [two] = session.control.queue;
    expect(await cancel(two?.message_id)).toMatchObject({ ok: true });
    expect(await cancel(two?.message_id)).toMatchObject({ error: { code: "not_found" } });
    expect(await cancel(first.input.messageId)).toMatchObject({ error: { code: "turn_running" } });
    run.finish(first.input.turnId);
    const second = await run.wasAsked("send", 2);
    expect(second.input.content).toEqual([{ type: "text", text: "three" }]);
    expect(await readAll(session.log)).toContainEqual(
      expect.objectContaining({
        type: "message_cancelled",
        data: { message_id: two?.message_id, by: "admin" },
      }),
    );
  });

  test("takes the same client message id once and says what it was the second time", async () => {
    const { host, runtime } = openTestHost();
    const session = await createTestSession(host);
    const [first, again] = await Promise.all([
      say(session, "once", { client_message_id: "c1" }),
      say(session, "once", { client_message_id: "c1" }),
    ]);
    expect(first).toMatchObject({ ok: true });
    expect(again).toEqual({
      ok: true,
      value: { ...(first.ok && first.value), duplicate: true },
    });
    const other = await say(session, "other words", { client_message_id: "c1" });
    expect(other).toMatchObject({ ok: false, error: { code: "idempotency_conflict" } });
    await (await runtime.run()).wasAsked("send");
    expect(
      typesOf(await readAll(session.log)).filter((type) => type === "user_message"),
    ).toHaveLength(1);
  });

  test("lets the first answer win and refuses the others", async () => {
    const { host, runtime } = openTestHost();
    const session = await createTestSession(host);
    await say(session, "go");
    const run = await runtime.run();
    run.say(askPermission);
    await eventOf(session.log, "permission_request");
    expect(session.info().activity).toBe("waiting");
    const answer = { type: "permission_response", correlation_id: "ask-1" } as const;
    const answers = await Promise.all([
      session.execute({ ...answer, behavior: "allow" }, admin),
      session.execute({ ...answer, behavior: "deny" }, admin),
    ]);
    expect(answers.map((result) => result.ok)).toEqual([true, false]);
    expect(answers[1]).toMatchObject({ error: { code: "already_resolved" } });
    const unknown = await session.execute(
      { ...answer, correlation_id: "constructor", behavior: "allow" },
      admin,
    );
    expect(unknown).toMatchObject({ ok: false, error: { code: "request_not_found" } });
    expect(await run.wasAsked("answer")).toMatchObject({ answer: { behavior: "allow" } });
    expect(run.asked.filter((asked) => asked.type === "answer")).toHaveLength(1);
  });

  test("cancels open requests when the turn is interrupted", async () => {
    const { host, runtime } = openTestHost();
    const session = await createTestSession(host);
    await say(session, "go");
    const run = await runtime.run();
    const { input } = await run.wasAsked("send");
    run.say(askPermission);
    await eventOf(session.log, "permission_request");
    await session.execute({ type: "interrupt" }, admin);
    await run.wasAsked("interrupt");
    run.finish(input.turnId, true);
    await eventOf(session.log, "done");
    const resolved = await eventOf(session.log, "permission_resolved");
    expect(resolved.data).toMatchObject({ outcome: "cancelled", allowed: false });
    const late = await session.execute(
      { type: "permission_response", correlation_id: "ask-1", behavior: "allow" },
      admin,
    );
    expect(late).toMatchObject({ ok: false, error: { code: "already_resolved" } });
  });

  test("never lets an interrupt overtake the message whose turn it stops", async () => {
    const { host, runtime } = openTestHost();
    const session = await createTestSession(host);
    await session.wake();
    const run = await runtime.run();
    let open = () => {};
    run.sendGate = new Promise((resolve) => {
      open = resolve;
    });
    await say(session, "go");
    await eventOf(session.log, "turn_started");
    await session.execute({ type: "interrupt" }, admin);
    await new Promise((resolve) => {
      setImmediate(() => setImmediate(resolve));
    });
    expect(run.asked).toEqual([]);
    open();
    await run.wasAsked("interrupt");
    expect(run.asked.map((asked) => asked.type)).toEqual(["send", "interrupt"]);
  });

  test("ends a turn whose agent ignores the interrupt, and starts the next on a new agent", async () => {
    const { host, runtime, clock } = openTestHost({ interruptMs: 1000 });
    const session = await createTestSession(host);
    await say(session, "stuck");
    const run = await runtime.run();
    await run.wasAsked("send");
    await say(session, "next");
    await session.execute({ type: "interrupt" }, admin);
    await run.wasAsked("interrupt");
    await clock.advance(1000);
    const done = await eventOf(session.log, "done");
    expect(done.data.stopped).toBe(true);
    const { data: error, turn_id } = await eventOf(session.log, "error");
    expect([error.code, turn_id]).toEqual(["interrupt_timeout", done.turn_id]);
    await run.wasAsked("close");
    const second = await runtime.run(1);
    expect((await second.wasAsked("send")).input.content).toEqual([{ type: "text", text: "next" }]);
  });

  test("settles the turn and its requests once when the agent dies", async () => {
    const { host, runtime } = openTestHost();
    const session = await createTestSession(host);
    await say(session, "go");
    const run = await runtime.run();
    run.say(draft("session_updated", { provider_session_id: "p1" }), askPermission);
    await eventOf(session.log, "permission_request");
    run.die("segmentation fault");
    await eventOf(session.log, "done");
    const tail = (await readAll(session.log)).slice(-5);
    expect(typesOf(tail)).toEqual([
      "permission_request",
      "permission_resolved",
      "error",
      "done",
      "session_updated",
    ]);
    expect(tail[1]?.data).toMatchObject({ outcome: "orphaned" });
    expect(tail[2]?.data).toMatchObject({ code: "agent_exited", message: "segmentation fault" });
    await say(session, "again");
    const second = await runtime.run(1);
    expect(second.options.resume).toBe("p1");
  });

  test("ends the turn when the agent cannot start, and keeps the session usable", async () => {
    const { host, runtime } = openTestHost();
    const session = await createTestSession(host);
    runtime.startError = new RuntimeError("spawn_failed", "claude: not found");
    await say(session, "go");
    const error = await eventOf(session.log, "error");
    expect(error.data).toMatchObject({ code: "agent_failed", message: "claude: not found" });
    await eventOf(session.log, "done");
    runtime.startError = undefined;
    await say(session, "again");
    await (await runtime.run()).wasAsked("send");
  });

  test("answers no for a person who never came", async () => {
    const { host, runtime, clock } = openTestHost({ requestTimeoutMs: 60_000 });
    const session = await createTestSession(host);
    await say(session, "go");
    const run = await runtime.run();
    run.say(askPermission);
    const asked = await eventOf(session.log, "permission_request");
    expect(asked.data.expires_at).toBe(new Date(clock.now() + 60_000).toISOString());
    await clock.advance(60_000);
    expect((await eventOf(session.log, "permission_resolved")).data.outcome).toBe("expired");
    expect(await run.wasAsked("answer")).toMatchObject({ answer: { behavior: "deny" } });
  });

  test("keeps a second end of a turn as native, so that each turn has one", async () => {
    const { host, runtime } = openTestHost();
    const session = await createTestSession(host);
    await say(session, "go");
    const run = await runtime.run();
    const { input } = await run.wasAsked("send");
    run.finish(input.turnId);
    run.say(
      draft("done", { turn_id: input.turnId }),
      draft("delta", { message_id: "m", text: "late" }),
    );
    const late = await eventOf(session.log, "delta");
    expect(late.turn_id).toBe(input.turnId);
    const types = typesOf(await readAll(session.log));
    expect(types.filter((type) => type === "done")).toHaveLength(1);
    expect(types).toContain("native");
  });

  test("refuses by data what the runtime cannot do", async () => {
    const { host, runtime } = openTestHost();
    Object.assign(runtime.capabilities, { steer: false, compact: false, images: false });
    const session = await createTestSession(host);
    const image = {
      type: "image",
      source: { type: "base64", media_type: "image/png", data: "" },
    } as const;
    const results = [
      await session.execute({ type: "steer", content: "left" }, admin),
      await session.execute({ type: "compact" }, admin),
      await session.execute({ type: "user_message", content: [image] }, admin),
    ];
    for (const result of results) {
      expect(result).toMatchObject({ ok: false, error: { code: "capability_missing" } });
    }
  });

  test("steers the running turn and refuses to steer none", async () => {
    const { host, runtime } = openTestHost();
    const session = await createTestSession(host);
    const idle = await session.execute({ type: "steer", content: "left" }, admin);
    expect(idle).toMatchObject({ ok: false, error: { code: "turn_not_running" } });
    await say(session, "go");
    const run = await runtime.run();
    const { input } = await run.wasAsked("send");
    await session.execute({ type: "steer", content: "left" }, admin);
    expect((await run.wasAsked("steer")).input.turnId).toBe(input.turnId);
  });

  test("limits its queue", async () => {
    const { host, runtime } = openTestHost({ maxQueue: 2 });
    const session = await createTestSession(host);
    await say(session, "running");
    await (await runtime.run()).wasAsked("send");
    await say(session, "1");
    await say(session, "2");
    expect(await say(session, "3")).toMatchObject({ ok: false, error: { code: "queue_full" } });
  });

  test("goes to sleep when idle and wakes by the next message with the runtime's own resume", async () => {
    const { host, runtime, clock, store } = openTestHost({ idleMs: 5000 });
    const session = await createTestSession(host);
    const detachSubscriber = session.attach();
    await say(session, "go");
    const run = await runtime.run();
    const { input } = await run.wasAsked("send");
    run.say(draft("session_updated", { provider_session_id: "p7" }));
    run.finish(input.turnId);
    await eventOf(session.log, "done");
    await clock.advance(5000);
    expect(session.hasAgent).toBe(true);
    detachSubscriber();
    await clock.advance(5000);
    await run.wasAsked("close");
    const opened = await host.open(session.id, admin);
    if (!opened.ok) throw new Error(opened.error.message);
    expect(opened.value).not.toBe(session);
    expect((await store.getSession(session.id))?.status).toBe("hibernated");
    await say(opened.value, "wake");
    const woken = await runtime.run(1);
    expect(woken.options.resume).toBe("p7");
    await woken.wasAsked("send");
    const statuses = (await readAll(opened.value.log)).flatMap((event) =>
      event.type === "session_updated" && event.data.status ? [event.data.status] : [],
    );
    expect(statuses).toEqual(["hibernated", "live"]);
  });

  test("answers store_unavailable without an ack when the store fails, and recovers by reloading", async () => {
    let isFull = false;
    const store = interceptAppends(createMemoryStore(), async (_batch, go) => {
      if (isFull) throw new StoreError("unavailable", "the disk is full");
      await go();
    });
    const { host } = openTestHost({ store });
    const session = await createTestSession(host);
    isFull = true;
    expect(await say(session, "lost")).toMatchObject({
      ok: false,
      error: { code: "store_unavailable" },
    });
    isFull = false;
    const reopened = await host.open(session.id, admin);
    if (!reopened.ok) throw new Error(reopened.error.message);
    expect(await say(reopened.value, "kept")).toMatchObject({ ok: true, value: { seq: 2 } });
  });

  test("refuses an edited input where the runtime would drop the edit, and still waits", async () => {
    const { host, runtime } = openTestHost();
    const session = await createTestSession(host);
    await say(session, "go");
    (await runtime.run()).say(askPermission);
    const { tool_input } = (await eventOf(session.log, "permission_request")).data;
    const allow = {
      type: "permission_response",
      correlation_id: "ask-1",
      behavior: "allow",
    } as const;
    const edited = await session.execute({ ...allow, updated_input: { other: 1 } }, admin);
    expect(edited).toMatchObject({ error: { code: "capability_missing" } });
    expect(Object.keys(session.control.requests)).toEqual(["ask-1"]);
    expect(await session.execute({ ...allow, updated_input: tool_input }, admin)).toMatchObject({
      ok: true,
    });
  });

  test("lets only an admin widen what an agent may do", async () => {
    const { host, runtime } = openTestHost();
    const guest = { id: "guest", isAdmin: false };
    const session = await createTestSession(host, guest);
    await session.execute({ type: "user_message", content: "go" }, guest);
    (await runtime.run()).say(askPermission);
    await eventOf(session.log, "permission_request");
    const widened = await session.execute(
      {
        type: "permission_response",
        correlation_id: "ask-1",
        behavior: "allow",
        updated_permissions: [{}],
      },
      guest,
    );
    const bypass = await session.execute({ type: "set_permission_mode", mode: "bypass" }, guest);
    const unknown = await session.execute({ type: "set_permission_mode", mode: "nonsense" }, admin);
    expect(widened).toMatchObject({ error: { code: "forbidden" } });
    expect(bypass).toMatchObject({ error: { code: "forbidden" } });
    expect(unknown).toMatchObject({ error: { code: "invalid_request" } });
    const locked = await session.execute({ type: "set_permission_mode", mode: "locked" }, admin);
    expect(locked).toMatchObject({
      error: { code: "forbidden", message: expect.stringContaining("no key; make one.") },
    });
  });

  test("passes its new title to the agent", async () => {
    const { host, runtime } = openTestHost();
    const session = await createTestSession(host);
    await say(session, "go");
    const run = await runtime.run();
    await session.execute({ type: "rename", title: "Ours" }, admin);
    expect(await run.wasAsked("rename")).toEqual({ type: "rename", title: "Ours" });
    expect(session.info().title).toBe("Ours");
  });

  test("takes a patch of the shared state only if it applies, and notifies the agent", async () => {
    const { host, runtime } = openTestHost();
    const session = await createTestSession(host);
    await say(session, "go");
    const run = await runtime.run();
    run.say(draft("state_snapshot", { state: { steps: ["a"] } }));
    await eventOf(session.log, "state_snapshot");
    const bad = await session.execute(
      { type: "state_patch", patches: [{ op: "remove", path: "/nowhere" }] },
      admin,
    );
    expect(bad).toMatchObject({ ok: false, error: { code: "invalid_request" } });
    await session.execute(
      { type: "state_patch", patches: [{ op: "add", path: "/steps/-", value: "b" }] },
      admin,
    );
    expect(await run.wasAsked("shared")).toMatchObject({ state: { steps: ["a", "b"] } });
  });

  test("gives each change of the shared state the next version, whoever makes it", async () => {
    const { host, runtime } = openTestHost();
    const session = await createTestSession(host);
    await say(session, "go");
    const run = await runtime.run();
    const count = (value: number) =>
      draft("state_delta", { patches: [{ op: "add" as const, path: "/count", value }] });
    // What a runtime says of versions does not count.
    run.say(draft("state_snapshot", { state: {}, version: 9 }), count(1), count(2));
    await eventOf(session.log, "state_snapshot");
    const patch = (base_version: number) =>
      session.execute(
        {
          type: "state_patch",
          patches: [{ op: "add", path: "/mine", value: true }],
          base_version,
          client_patch_id: `p${base_version}`,
        },
        admin,
      );
    expect(await patch(2)).toMatchObject({
      ok: false,
      error: { code: "stale_state", details: { version: 3 } },
    });
    expect(await patch(3)).toMatchObject({ ok: true });
    run.say(count(3));
    await expect.poll(() => session.control.shared_version).toBe(5);
    const changes = (await readAll(session.log)).flatMap((event) =>
      event.type === "state_delta" || event.type === "state_snapshot" ? [event.data] : [],
    );
    expect(changes.map(({ version }) => version)).toEqual([1, 2, 3, 4, 5]);
    expect(changes[3]).toMatchObject({ client_patch_id: "p3", by: "admin" });
  });

  test("is read-only in the archive", async () => {
    const { host } = openTestHost();
    const session = await createTestSession(host);
    expect(await session.execute({ type: "archive" }, admin)).toMatchObject({ ok: true });
    expect(await say(session, "hello?")).toMatchObject({
      ok: false,
      error: { code: "session_archived" },
    });
    expect(await session.execute({ type: "unarchive" }, admin)).toMatchObject({ ok: true });
    expect(await say(session, "hello")).toMatchObject({ ok: true });
  });

  test("refuses a shared state that no event could carry, and keeps the one it has", async () => {
    const { host } = openTestHost();
    const session = await createTestSession(host);
    const share = (value: string) =>
      session.execute({ type: "state_patch", patches: [{ op: "add", path: "", value }] }, admin);
    expect(await share("small")).toMatchObject({ ok: true });
    expect(await share("é".repeat(150_000))).toMatchObject({
      error: { code: "payload_too_large", details: { limit_bytes: 258_048 } },
    });
    expect(session.control.shared).toBe("small");
    const types = (await readAll(session.log)).map(({ type }) => type);
    expect(types).toEqual(["session_ready", "state_delta"]);
  });
});
