import { restoreEvent } from "@turnwire/log";
import {
  draft,
  fold,
  foldAll,
  initialState,
  MAX_EVENT_BYTES,
  type SessionEvent,
} from "@turnwire/protocol";
import { describe, expect, test } from "vitest";
import { eventOf, readAll } from "../test-support/log-reader.ts";
import { admin, createTestSession } from "../test-support/test-host.ts";
import {
  hostWith,
  runningTurn,
  testMessageWithPicture,
} from "./test-support/message-with-picture.ts";
import { loadDriver } from "../../../log/src/store/sqlite/driver.ts";
import {
  openForTest,
  temporaryPath,
} from "../../../log/src/store/sqlite/test-support/temporary-store.ts";

describe("a message with a large picture", () => {
  testMessageWithPicture(1024 * 1024);
});

describe("a large tool result", () => {
  const output = Array.from({ length: 40_000 }, (_, line) => `line ${line} of the output`).join(
    "\n",
  );

  async function sessionWithResult() {
    const opened = hostWith();
    const session = await createTestSession(opened.host);
    const live: SessionEvent[] = [];
    session.log.subscribe({
      onEvents: (events) =>
        live.push(...events.map((event): SessionEvent => JSON.parse(event.json))),
      onEnd: () => undefined,
    });
    const { run, turnId } = await runningTurn(session, opened.runtime);
    run.say(
      draft("tool_start", {
        message_id: "m",
        tool_use_id: "u",
        tool: "Bash",
        input: { command: "cat" },
      }),
      draft("tool_result", { tool_use_id: "u", output, is_error: false }),
    );
    run.finish(turnId);
    await eventOf(session.log, "done");
    return { ...opened, session, live };
  }

  test("is the same live, replayed and in the snapshot, and can be read whole", async () => {
    const { session, live } = await sessionWithResult();
    const stored = await readAll(session.log);
    expect(live).toEqual(stored.slice(1));
    for (const event of stored) {
      expect(Buffer.byteLength(JSON.stringify(event))).toBeLessThanOrEqual(MAX_EVENT_BYTES);
    }
    const state = foldAll(initialState(), stored);
    expect(stored.reduce(fold, initialState())).toEqual(state);
    expect((await session.snapshot()).state).toEqual(state);
    expect(state.messages[1]).toMatchObject({
      blocks: [{ type: "tool", attachments: [{ path: "/output", media_type: "text/plain" }] }],
    });
    const result = await eventOf(session.log, "tool_result");
    const whole = await restoreEvent(result, session.log);
    expect(whole.type === "tool_result" && whole.data.output === output).toBe(true);
  });

  test("is shared with a copy, and stays when the source is deleted", async () => {
    const { host, session } = await sessionWithResult();
    const forked = await session.execute({ type: "fork" }, admin);
    const copy = forked.ok && forked.value.forked;
    if (!copy) throw new Error("not forked");
    expect(await host.delete(session.id, admin)).toMatchObject({ ok: true });
    const opened = await host.open(copy.session_id, admin);
    if (!opened.ok) throw new Error(opened.error.message);
    const result = await eventOf(opened.value.log, "tool_result");
    const whole = await restoreEvent(result, opened.value.log);
    expect(whole.type === "tool_result" && whole.data.output === output).toBe(true);
  });

  test("is shared with a copy also where retention has removed its event from the source", async () => {
    const { host, runtime } = hostWith({ retainEvents: 10, ringSize: 10 });
    const session = await createTestSession(host);
    const { run, turnId } = await runningTurn(session, runtime);
    run.say(
      draft("tool_start", { message_id: "m", tool_use_id: "u", tool: "Bash" }),
      draft("tool_result", { tool_use_id: "u", output, is_error: false }),
    );
    for (let count = 0; count < 40; count++) {
      run.say(draft("notice", { level: "info", text: `note ${count}` }));
    }
    run.finish(turnId);
    await eventOf(session.log, "done");
    await expect.poll(() => session.log.oldest).toBeGreaterThan(10);
    const forked = await session.execute({ type: "fork" }, admin);
    const copy = forked.ok && forked.value.forked;
    if (!copy) throw new Error("not forked");
    const opened = await host.open(copy.session_id, admin);
    if (!opened.ok) throw new Error(opened.error.message);
    const [, answer] = (await opened.value.snapshot()).state.messages;
    const tool = answer?.role === "agent" ? answer.blocks[0] : undefined;
    const digest = tool?.attachments?.[0]?.digest ?? "";
    const content = await opened.value.log.readAttachment(digest);
    expect(Buffer.from(content).toString() === output).toBe(true);
  });

  test("is collected when the last session that names it is deleted", async () => {
    const path = await temporaryPath();
    const store = await openForTest(path);
    const { host, runtime } = hostWith({ store });
    const sessions = [await createTestSession(host), await createTestSession(host)];
    for (const [index, session] of sessions.entries()) {
      await session.execute({ type: "user_message", content: "go" }, admin);
      const run = await runtime.run(index);
      const { input } = await run.wasAsked("send");
      run.say(draft("tool_result", { tool_use_id: "u", output, is_error: false }));
      run.finish(input.turnId);
      await eventOf(session.log, "done");
    }
    const rows = async () => {
      const database = (await loadDriver())(path);
      database.exec("PRAGMA query_only = 1");
      const counts = ["blobs", "blob_chunks", "attachments"].map(
        (table) => database.prepare(`SELECT count(*) FROM ${table}`).all()[0]?.[0],
      );
      database.close();
      return counts;
    };
    const [first, second] = sessions;
    await host.delete(first?.id ?? "", admin);
    await host.close();
    await store.purgeDeleted(0);
    await store.close();
    // The rest of what was deleted is removed when the store is open again.
    const chunks = Math.ceil(Buffer.byteLength(output) / (256 * 1024));
    const reopened = await openForTest(path);
    const again = hostWith({ store: reopened });
    await expect.poll(rows).toEqual([1, chunks, 1]);
    await again.host.delete(second?.id ?? "", admin);
    await reopened.purgeDeleted(0);
    await expect.poll(rows).toEqual([0, 0, 0]);
    await again.host.close();
  });
});

describe("a permission for a large input", () => {
  const content = "x".repeat(600_000);
  const asked = { file_path: "/a", content };

  async function askedSession() {
    const opened = hostWith();
    const session = await createTestSession(opened.host);
    const { run } = await runningTurn(session, opened.runtime);
    run.say(
      draft("permission_request", { correlation_id: "c", tool_name: "Write", tool_input: asked }),
    );
    const request = await eventOf(session.log, "permission_request");
    const shown = request.data.tool_input as typeof asked;
    const answer = async (updated_input: typeof asked) => {
      const command = {
        type: "permission_response",
        correlation_id: "c",
        behavior: "allow",
      } as const;
      await session.execute({ ...command, updated_input }, admin);
      const given = await run.wasAsked("answer");
      return given.answer.type === "permission_response" ? given.answer.updated_input : undefined;
    };
    return { shown, answer };
  }

  test("shows a preview", async () => {
    const { shown } = await askedSession();
    expect(shown.file_path).toBe("/a");
    expect(shown.content.length).toBeLessThan(10_000);
  });

  test("is not edited by a client that sends back what it was shown, or the whole", async () => {
    const first = await askedSession();
    expect(await first.answer(first.shown)).toBeUndefined();
    const second = await askedSession();
    expect(await second.answer(asked)).toBeUndefined();
  });

  test("keeps the whole text when a client edits something else beside the preview", async () => {
    const { shown, answer } = await askedSession();
    const given = await answer({ ...shown, file_path: "/b" });
    expect(JSON.stringify(given) === JSON.stringify({ ...asked, file_path: "/b" })).toBe(true);
  });
});
