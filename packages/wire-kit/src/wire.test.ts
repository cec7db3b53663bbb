import { describe, expect, test } from "vitest";
import { openKit, type KitMessage } from "./test-support/kit-client.ts";
import {
  metricIs,
  startServer,
  testToken,
} from "../../server/src/4-transport/test-support/running-server.ts";
import { refusedUpgrade } from "../../server/src/4-transport/test-support/socket-client.ts";
import { demo } from "@turnwire/runtime/demo";
import { tmpdir } from "node:os";

/** The options that the kit's own server begins with. */
const defaults = {
  maxTurns: 100,
  allowedTools:
    "Task Bash Glob Grep LS ExitPlanMode Read Edit MultiEdit Write NotebookEdit WebFetch TodoWrite WebSearch BashOutput KillBash".split(
      " ",
    ),
  mcpServers: {},
  hooks: {},
  thinkingLevel: "default_on",
};
const idle = { sessionState: { isBusy: false } };
const result = { message: { type: "result" } };

function resultsOf(client: Awaited<ReturnType<typeof openKit>>): number {
  return client.transcript().filter(({ type }) => type === "result").length;
}

function typesOf(messages: readonly Record<string, unknown>[]): unknown[] {
  return messages.map(({ type, message }) =>
    type === "message_added" ? (message as { type: string }).type : type,
  );
}

describe("a kit connection", () => {
  test("gets the state before it is connected, and a session with its first message", async () => {
    const { url, request } = await startServer();
    const client = await openKit(url);
    await client.frame("connected");
    expect(client.messages).toMatchObject([
      {
        type: "session_state_changed",
        sessionId: null,
        sessionState: { isBusy: false, isLoading: false, options: defaults },
      },
      { type: "connected", sessionId: null },
    ]);
    expect(await (await request("/sessions")).json()).toMatchObject({ sessions: [] });
    client.say("chat", { content: "/tools", sessionId: null });
    await client.frame("session_state_changed", idle, 2);
    const ofChat = client.messages.slice(2);
    expect(typesOf(ofChat)).toEqual([
      "user",
      "session_state_changed",
      "system",
      ...typesOf(ofChat.slice(3, -1)),
      "session_state_changed",
    ]);
    const agentId = expect.stringMatching(/^demo_/);
    expect(ofChat.map(({ sessionId }) => sessionId)).toEqual([
      null,
      null,
      ...ofChat.slice(2).map(() => agentId),
    ]);
    expect(ofChat.slice(0, 3)).toMatchObject([
      { message: { session_id: "", timestamp: expect.any(String) } },
      { sessionState: { isBusy: true } },
      { message: { subtype: "init", session_id: agentId } },
    ]);
    expect(client.state()).toMatchObject({ isBusy: false, isLoading: false });
    const uuids = client.transcript().map(({ uuid }) => uuid);
    expect(new Set(uuids).size).toBe(uuids.length);
  });

  test("takes what is attached, as the agent's content", async () => {
    const running = await startServer();
    const client = await openKit(running.url);
    const text = Buffer.from("naïve — 漢字").toString("base64");
    client.say("chat", {
      content: "look",
      attachments: [{ id: "1", name: "a.txt", mediaType: "text/plain", data: text }],
    });
    const { message } = await client.frame("message_added", { message: { type: "user" } });
    expect(message).toMatchObject({
      message: {
        role: "user",
        content: [
          {
            type: "document",
            title: "a.txt",
            source: { type: "text", media_type: "text/plain", data: "naïve — 漢字" },
          },
          { type: "text", text: "look" },
        ],
      },
    });
    client.say("chat", { content: "x", attachments: [{ mediaType: "video/mp4", data: "AA==" }] });
    await client.frame("error", { code: "unsupported_attachment", inReplyTo: "chat" });
  });

  test.each([1, 5, 7])(
    "shows an attachment of %i MB whole, also to who comes later",
    async (size) => {
      const { url } = await startServer();
      const client = await openKit(url);
      const data = Buffer.alloc(size * 1_000_000, "a picture ").toString("base64");
      client.say("chat", { content: "look", attachments: [{ mediaType: "image/png", data }] });
      const { sessionId } = await client.frame("message_added", result);
      const later = await openKit(url);
      later.say("resume", { sessionId });
      await later.frame("session_state_changed", { sessionId, sessionState: { isLoading: false } });
      for (const { transcript } of [client, later]) {
        const [block] = transcript().find(({ type }) => type === "user")?.message?.content ?? [];
        expect(block).toMatchObject({ type: "image", source: { media_type: "image/png" } });
        expect((block as { source?: { data: string } }).source?.data === data).toBe(true);
      }
    },
  );

  test("is followed by a second one that resumes, interrupts and sees what is asked", async () => {
    const { url } = await startServer();
    const first = await openKit(url);
    first.say("chat", { content: "/permission" });
    const { sessionId, request } = await first.frame("permission_requested");
    const { requestId } = request as { requestId: string };
    const second = await openKit(url);
    second.say("resume", { sessionId });
    await second.frame("session_state_changed", { sessionState: { isLoading: false }, sessionId });
    expect(second.messages.slice(2).every((frame) => frame["sessionId"] === sessionId)).toBe(true);
    expect(await second.frame("permission_requested")).toEqual(
      await first.frame("permission_requested"),
    );
    // Live messages had the time of their event, and no id before the agent had one.
    const byUuid = (messages: readonly KitMessage[]) =>
      new Map(messages.map(({ session_id: _id, timestamp: _time, ...rest }) => [rest.uuid, rest]));
    expect(byUuid(second.transcript())).toEqual(byUuid(first.transcript()));
    expect(second.state()).toMatchObject({ isBusy: true });
    second.say("permissionResponse", { requestId, behavior: "deny", message: "not now" });
    const resolved = { requestId, allowed: false, outcome: "answered" };
    await first.frame("permission_resolved", resolved);
    await first.until(() => first.state()["isBusy"] === false);
    first.say("permissionResponse", { requestId, behavior: "allow" });
    await first.frame("error", { code: "already_resolved" });

    const before = [first.messages.length, second.messages.length] as const;
    first.say("chat", { content: "/permission" });
    await second.frame("permission_requested", {}, before[1]);
    second.say("interrupt");
    await first.frame("permission_resolved", { outcome: "cancelled" }, before[0]);
    await first.frame("message_added", result, before[0]);
    await second.frame("session_state_changed", idle, before[1]);
    await first.frame("session_state_changed", idle, before[0]);
    expect(new Set(second.transcript().map(({ uuid }) => uuid))).toEqual(
      new Set(first.transcript().map(({ uuid }) => uuid)),
    );
  });

  test("is answered once when two answer at the same time", async () => {
    const { url } = await startServer();
    const first = await openKit(url);
    first.say("chat", { content: "/permission" });
    const { sessionId, request } = await first.frame("permission_requested");
    const { requestId } = request as { requestId: string };
    const second = await openKit(url);
    second.say("resume", { sessionId });
    await second.frame("permission_requested");
    first.say("permissionResponse", { requestId, behavior: "allow" });
    second.say("permissionResponse", { requestId, behavior: "deny" });
    const all = () => [...first.messages, ...second.messages];
    await Promise.all([
      first.frame("message_added", result),
      second.frame("message_added", result),
    ]);
    await Promise.race([first.frame("error"), second.frame("error")]);
    const errors = all().filter(({ type }) => type === "error");
    expect(errors).toMatchObject([{ code: "already_resolved" }]);
    const ends = all().filter(({ type }) => type === "permission_resolved");
    expect(ends).toHaveLength(2);
    expect(ends[0]).toEqual(ends[1]);
  });

  test("asks questions, and is answered by their text", async () => {
    const { url } = await startServer();
    const client = await openKit(url);
    client.say("chat", { content: "/question" });
    const { request } = await client.frame("question_requested");
    const { requestId, questions } = request as {
      requestId: string;
      questions: { question: string; options: { label: string }[] }[];
    };
    const [asked] = questions;
    const answers = { [asked?.question ?? ""]: asked?.options[0]?.label ?? "" };
    client.say("questionResponse", { requestId, answers });
    const resolved = await client.frame("question_resolved");
    expect(resolved).toMatchObject({ requestId, outcome: "answered", answers });
    await client.frame("message_added", result);
  });

  test("runs what is sent at once one after the other, in its order", async () => {
    const { url } = await startServer();
    const client = await openKit(url);
    for (const content of ["one", "two", "three"]) {
      client.say("chat", { content, clientMessageId: content });
    }
    client.say("chat", { content: "three", clientMessageId: "three" });
    await client.frame("message_accepted", { clientMessageId: "three", duplicate: true });
    await client.until(() => resultsOf(client) === 3 && client.state()["isBusy"] === false);
    const shown = client
      .transcript()
      .filter(({ type }) => type === "user" || type === "result")
      .map(({ type, message }) => (type === "user" ? message?.content.at(-1)?.text : type));
    expect(shown).toEqual(["one", "result", "two", "result", "three", "result"]);
    expect(new Set(client.messages.map(({ sessionId }) => sessionId)).size).toBe(2);
  });

  test("streams messages as they are written once that is wanted, also in the middle", async () => {
    const { url } = await startServer();
    const client = await openKit(url);
    client.say("chat", { content: "/permission" });
    const { request } = await client.frame("permission_requested");
    expect(client.transcript().some(({ type }) => type === "stream_event")).toBe(false);
    client.say("setSDKOptions", { options: { includePartialMessages: true } });
    const { requestId } = request as { requestId: string };
    client.say("permissionResponse", { requestId, behavior: "allow" });
    await client.frame("message_added", { message: { type: "stream_event" } });
    await client.frame("message_added", result);
    const uuids = client.transcript().map(({ uuid }) => uuid);
    expect(new Set(uuids).size).toBe(uuids.length);
  });
});

describe("options of a kit client", () => {
  test("apply to the session that begins, and to the one that there is", async () => {
    const { url, request } = await startServer();
    const client = await openKit(url);
    client.say("setSDKOptions", {
      options: { model: "demo-large", permissionMode: "plan", thinkingLevel: "off" },
    });
    await client.frame("session_state_changed", {
      sessionId: null,
      sessionState: { options: { model: "demo-large" }, permissionMode: "plan" },
    });
    client.say("chat", { content: "hello" });
    const { sessionId } = await client.frame("message_added", result);
    expect(await (await request("/sessions")).json()).toMatchObject({
      sessions: [
        {
          provider_session_id: sessionId,
          model: "demo-large",
          permission_mode: "plan",
          effort: "low",
        },
      ],
    });
    client.say("setSDKOptions", {
      options: { permissionMode: "default", thinkingLevel: "default_on" },
    });
    await client.frame("session_state_changed", {
      sessionId,
      sessionState: { permissionMode: "default", thinkingLevel: "default_on" },
    });
    client.say("setModel", { model: "demo-small" });
    await client.frame("session_state_changed", {
      sessionState: { options: { model: "demo-small" } },
    });
    client.say("setSDKOptions", { options: { cwd: "/somewhere/else" } });
    await client.frame("error", { code: "option_fixed" });
    client.say("setSDKOptions", { options: {} });
    client.say("setSDKOptions", { options: 7 });
    await client.frame("error", { code: "invalid_options" });
  });

  test.each([
    ["a program", { pathToClaudeCodeExecutable: "/tmp/evil.sh" }],
    ["an environment", { env: { PATH: "/tmp" } }],
    ["MCP servers", { mcpServers: { evil: { command: "sh" } } }],
    ["hooks", { hooks: { PreToolUse: [] } }],
    ["tools", { allowedTools: ["Bash"] }],
    ["turns", { maxTurns: 1000 }],
    ["a prototype", { constructor: {} }],
  ])("may not choose %s, and then none of them applies", async (_what, options) => {
    const { url } = await startServer();
    const client = await openKit(url);
    client.say("setSDKOptions", { options: { ...options, permissionMode: "plan" } });
    const { error } = await client.frame("error", { code: "option_not_allowed" });
    expect(error).toContain(Object.keys(options)[0]);
    client.say("chat", { content: "hello" });
    await client.frame("message_added", result);
    expect(client.state()["permissionMode"]).not.toBe("plan");
    expect(JSON.stringify(client.messages.map(({ sessionState }) => sessionState))).not.toContain(
      "evil",
    );
  });

  test("that only admins may choose are refused for others", async () => {
    const { url } = await startServer({
      auth: {
        type: "authorize",
        authorize: async () => ({ id: "guest", isAdmin: false }),
      },
    });
    const client = await openKit(url);
    const refusal = { inReplyTo: "setSDKOptions", code: "forbidden" };
    client.say("setSDKOptions", { options: { permissionMode: "bypassPermissions" } });
    await client.frame("error", refusal);
    client.say("chat", { content: "hello" });
    await client.frame("message_added", result);
    const from = client.messages.length;
    client.say("setSDKOptions", { options: { permissionMode: "bypassPermissions" } });
    await client.frame("error", refusal, from);
    expect(client.state()).toMatchObject({ permissionMode: "default" });
  });
});

describe("options before a conversation", () => {
  test("are answered with all that is in force, cwd without blanks, and none where it is blank", async () => {
    const cwd = tmpdir();
    const { url } = await startServer({ hostOptions: { roots: [cwd] } });
    const client = await openKit(url);
    const answer = async (options: object): Promise<unknown> => {
      const from = client.messages.length;
      client.say("setSDKOptions", { options });
      return client.frame("session_state_changed", {}, from);
    };
    expect(await answer({ cwd: `  ${cwd} `, includePartialMessages: true })).toMatchObject({
      sessionId: null,
      sessionState: { options: { ...defaults, cwd, includePartialMessages: true } },
    });
    expect(await answer({ ...defaults, permissionMode: "plan" })).toMatchObject({
      sessionState: { options: { ...defaults, cwd, permissionMode: "plan" } },
    });
    for (const blank of ["  ", null]) {
      await answer({ cwd });
      expect(await answer({ cwd: blank })).not.toHaveProperty(["sessionState", "options", "cwd"]);
    }
  });

  test.each([
    { permissionMode: "no-such-mode" },
    { thinkingLevel: "no-such-level" },
    { cwd: "/no/such/directory" },
  ])("are refused at once where they could begin none: %j", async (wrong) => {
    const { url } = await startServer();
    const client = await openKit(url);
    client.say("setSDKOptions", { options: { ...wrong, model: "demo-large" } });
    await client.frame("error", { inReplyTo: "setSDKOptions" });
    client.say("chat", { content: "hello" });
    await client.frame("message_added", result);
    expect(client.state()["options"]).not.toHaveProperty("model", "demo-large");
  });
});

describe("an unattended client", () => {
  test.each([
    ["one for a message", "", { isUnattended: true }],
    ["one for a connection", "/ws?unattended=true", {}],
  ])("can be %s: what would be asked is refused at once", async (_what, path, more) => {
    const { url } = await startServer();
    const client = await openKit(`${url}${path}`);
    client.say("chat", { content: "/permission", ...more });
    await client.frame("message_added", result);
    await client.frame("permission_resolved", { allowed: false });
    const results = client.transcript().filter(({ message }) => {
      const [block] = message?.content ?? [];
      return block?.type === "tool_result";
    });
    expect(results).toMatchObject([{ message: { content: [{ is_error: true }] } }]);
  });
});

describe("resuming over the kit's wire", () => {
  test.each([
    [undefined, "invalid_session_id"],
    [null, "invalid_session_id"],
    [7, "invalid_session_id"],
    ["", "invalid_session_id"],
    ["../../../outside/secret", "invalid_session_id"],
    ["a/b", "invalid_session_id"],
    ["search", "invalid_session_id"],
    ["   ", "invalid_session_id"],
  ])("%j is refused, and the connection keeps its session", async (sessionId, code) => {
    const running = await startServer();
    const client = await openKit(running.url);
    client.say("chat", { content: "hello" });
    await client.frame("message_added", result);
    client.say("resume", { sessionId });
    await client.frame("error", { code, inReplyTo: "resume" });
    const from = client.messages.length;
    client.say("chat", { content: "again" });
    await client.frame("message_added", result, from);
    expect(running.errors).toEqual([]);
  });

  test("reports loading, the options and all messages, in this order", async () => {
    const { url } = await startServer();
    const first = await openKit(url);
    first.say("chat", { content: "/tools" });
    const { sessionId } = await first.frame("message_added", result);
    await first.until(() => first.state()["isBusy"] === false);
    const second = await openKit(url);
    second.say("resume", { sessionId });
    await second.frame("session_state_changed", { sessionId, sessionState: { isLoading: false } });
    expect(second.messages.slice(2)).toMatchObject([
      { type: "session_state_changed", sessionId, sessionState: { isLoading: true } },
      { type: "session_state_changed", sessionId, sessionState: { isBusy: false, options: {} } },
      { type: "messages_updated", sessionId },
      { type: "session_state_changed", sessionId, sessionState: { isLoading: false } },
    ]);
    expect(second.transcript().map(({ uuid }) => uuid)).toEqual(
      expect.arrayContaining(first.transcript().map(({ uuid }) => uuid)),
    );
  });

  test("an unknown id shows an empty conversation, and an error with it", async () => {
    const { url } = await startServer();
    const client = await openKit(url);
    client.say("chat", { content: "hello" });
    const { sessionId: earlier } = await client.frame("message_added", result);
    await client.until(() => client.state()["isBusy"] === false);
    const from = client.messages.length;
    const sessionId = "11111111-1111-1111-1111-111111111111";
    client.say("resume", { sessionId: ` ${sessionId} ` });
    await client.frame("error", { code: "session_not_found", inReplyTo: "resume" });
    expect(client.messages.slice(from, -1)).toEqual([
      { type: "session_state_changed", sessionId, sessionState: { isLoading: true } },
      { type: "messages_updated", sessionId, messages: [] },
      { type: "session_state_changed", sessionId, sessionState: { isLoading: false } },
    ]);
    client.say("chat", { content: "there?", sessionId });
    await client.frame("error", { code: "session_not_found", inReplyTo: "chat" });
    client.say("chat", { content: "a new one" });
    const later = { message: { type: "result" } };
    const { sessionId: other } = await client.frame("message_added", later, from);
    expect(other).not.toBe(earlier);
  });

  test("keeps the order of the messages and when each was said", async () => {
    const { url } = await startServer();
    const first = await openKit(url);
    first.say("chat", { content: "/tools" });
    const { sessionId } = await first.frame("message_added", result);
    first.say("chat", { content: "/thinking" });
    await first.until(() => resultsOf(first) === 2 && first.state()["isBusy"] === false);
    const second = await openKit(url);
    second.say("resume", { sessionId });
    await second.frame("session_state_changed", { sessionId, sessionState: { isLoading: false } });
    for (const client of [first, second]) {
      const times = client.transcript().map(({ timestamp }) => timestamp);
      expect(times).toEqual(times.map(String).toSorted((a, b) => a.localeCompare(b)));
      expect(times).not.toContain(undefined);
    }
  });

  test("goes with the message that names a session, unless another one is followed", async () => {
    const { url } = await startServer();
    const first = await openKit(url);
    first.say("chat", { content: "one" });
    const { sessionId } = await first.frame("message_added", result);
    const second = await openKit(url);
    second.say("chat", { content: "two", sessionId });
    await first.frame("message_added", { message: { message: { content: [{ text: "two" }] } } });
    second.say("chat", { content: "and more", sessionId });
    await first.frame("message_added", {
      message: { message: { content: [{ text: "and more" }] } },
    });
    first.say("chat", { content: "three", sessionId: "another" });
    await first.frame("error", { code: "session_mismatch" });
    await first.until(() => resultsOf(first) === 3);
    const from = first.messages.length;
    first.say("chat", { content: "four", newConversation: true });
    const later = { message: { type: "user", message: { content: [{ text: "four" }] } } };
    await first.frame("message_added", later);
    const { sessionId: other } = await first.frame("message_added", result, from);
    expect(other).not.toBe(sessionId);
    first.say("listSessions");
    const { sessions } = await first.frame("sessions_listed");
    expect(new Set((sessions as { sessionId: string }[]).map((one) => one.sessionId))).toEqual(
      new Set([other, sessionId]),
    );
  });

  test("finds a conversation of the agent's own program, once", async () => {
    const id = "11111111-2222-3333-4444-555555555555";
    const ts = "2026-11-10T10:00:00.000Z";
    const said = { message_id: "u", content: [{ type: "text" as const, text: "long ago" }] };
    const history = {
      list: async () => [
        { provider_session_id: id, updated_at: ts, title: "old", resume_command: "demo" },
      ],
      read: async (asked: string) =>
        asked === id
          ? [
              { type: "user_message" as const, data: { ...said, delivery: "turn" as const }, ts },
              {
                type: "turn_started" as const,
                data: { turn_id: "t", message_id: "u" },
                turn_id: "t",
                ts,
              },
              { type: "done" as const, data: { turn_id: "t" }, turn_id: "t", ts },
            ]
          : undefined,
    };
    const runtime = { ...demo({ delayMs: 0 }), history };
    const { url } = await startServer({ hostOptions: { runtimes: [runtime] } });
    const clients = await Promise.all([openKit(url), openKit(url)]);
    clients[0].say("listSessions");
    expect(await clients[0].frame("sessions_listed")).toMatchObject({
      sessions: [{ sessionId: id, title: "old", runtime: "demo", isBusy: false }],
    });
    for (const client of clients) client.say("resume", { sessionId: id });
    const loaded = await Promise.all(clients.map((client) => client.frame("messages_updated")));
    expect(loaded[0]).toEqual(loaded[1]);
    expect(clients[0].transcript()).toMatchObject([
      {},
      { type: "user", message: { content: [{ text: "long ago" }] }, timestamp: ts, session_id: id },
      { type: "result" },
    ]);
  });

  test("of somebody else's session is like that of none", async () => {
    const { url } = await startServer({
      auth: {
        type: "authorize",
        authorize: async ({ headers }) => ({ id: String(headers["x-user"]), isAdmin: false }),
      },
    });
    const ada = await openKit(url, { headers: { "x-user": "ada" } });
    ada.say("chat", { content: "mine" });
    const { sessionId } = await ada.frame("message_added", result);
    const eve = await openKit(url, { headers: { "x-user": "eve" } });
    eve.say("resume", { sessionId });
    await eve.frame("error", { code: "session_not_found" });
    eve.say("listSessions");
    expect(await eve.frame("sessions_listed")).toMatchObject({ sessions: [] });
    expect(eve.transcript()).toEqual([]);
  });

  test("again and again leaves nothing behind", async () => {
    const running = await startServer();
    const client = await openKit(running.url);
    const warnings: string[] = [];
    const onWarning = ({ message }: Error): number => warnings.push(message);
    process.on("warning", onWarning);
    client.say("chat", { content: "hello" });
    const { sessionId } = await client.frame("message_added", result);
    for (let count = 0; count < 40; count += 1) client.say("resume", { sessionId });
    client.say("listSessions");
    await client.frame("sessions_listed");
    await metricIs(running, "turnwire_subscribers", 1);
    client.websocket.close();
    await metricIs(running, "turnwire_subscribers", 0);
    process.off("warning", onWarning);
    expect(warnings).toEqual([]);
  });
});

describe("what goes wrong on the kit's wire", () => {
  test("is answered by an error frame with a code, and the connection stays", async () => {
    const running = await startServer();
    const client = await openKit(running.url);
    const garbage = ["{", "", "nonsense", '{"__proto__":1}', "\u0000"];
    for (const text of garbage) client.websocket.send(text);
    const codes = () =>
      client.messages.filter(({ type }) => type === "error").map(({ code }) => code);
    await client.until(() => codes().length === garbage.length);
    expect(new Set(codes())).toEqual(new Set(["invalid_json"]));
    for (const value of [null, 7, [], "chat", { type: 5 }]) client.send(value);
    await client.until(() => codes().length === garbage.length + 5);
    client.say("fly");
    await client.frame("error", { code: "unsupported_message_type", inReplyTo: "fly" });
    client.say("chat", { content: "   " });
    await client.frame("error", { code: "empty_message" });
    client.say("interrupt");
    await client.frame("error", { code: "session_not_found", inReplyTo: "interrupt" });
    client.websocket.send(Buffer.from(JSON.stringify({ type: "chat", content: "binary" })), {
      binary: true,
    });
    await client.frame("message_added", result);
    expect(running.errors).toEqual([]);
    const invalid = { error: "Invalid JSON payload", code: "invalid_json" };
    expect(await client.frame("error", invalid)).toMatchObject({ sessionId: null });
  });

  test("is reported, where a turn fails, before it is over", async () => {
    const { url } = await startServer();
    const client = await openKit(url);
    client.say("chat", { content: "/error" });
    const { sessionId } = await client.frame("error", { code: "overloaded", retryable: true });
    expect(sessionId).toMatch(/^demo_/);
    await client.frame("message_added", { message: { type: "result", is_error: true } });
    await client.until(() => client.state()["isBusy"] === false);
  });

  test("a frame that is too large ends the connection alone", async () => {
    const running = await startServer({ maxBodyBytes: 64 * 1024 });
    const calm = await openKit(running.url);
    const client = await openKit(running.url);
    client.say("chat", { content: "x".repeat(100_000) });
    expect((await client.closed).code).toBe(1009);
    calm.say("chat", { content: "hello" });
    await calm.frame("message_added", result);
  });

  test("a deleted session is reported, and the next message begins another", async () => {
    const running = await startServer();
    const client = await openKit(running.url);
    client.say("chat", { content: "hello" });
    const { sessionId } = await client.frame("message_added", result);
    await client.until(() => client.state()["isBusy"] === false);
    const { sessions } = (await (await running.request("/sessions")).json()) as {
      sessions: { session_id: string }[];
    };
    await running.request(`/sessions/${sessions[0]?.session_id}`, { method: "DELETE" });
    await client.frame("error", { code: "session_deleted", sessionId });
    await metricIs(running, "turnwire_subscribers", 0);
    client.say("interrupt");
    await client.frame("error", { code: "session_not_found" });
    const from = client.messages.length;
    client.say("chat", { content: "hello again" });
    expect((await client.frame("message_added", result, from)).sessionId).not.toBe(sessionId);
  });

  test("who does not belong is refused before the handshake", async () => {
    const { url } = await startServer({ allowedOrigins: ["https://kit.example"] });
    const path = `${url}/ws`;
    const headers = { authorization: `Bearer ${testToken}` };
    expect(await refusedUpgrade(path)).toMatchObject({ status: 401 });
    const foreign = { headers: { ...headers, origin: "https://evil.example" } };
    expect(await refusedUpgrade(path, foreign)).toMatchObject({ status: 403 });
    const allowed = await openKit(url, { headers: { ...headers, origin: "https://kit.example" } });
    await allowed.frame("connected");
    const protocols = ["turnwire", `bearer.${testToken}`];
    const browser = await openKit(url, { headers: { cookie: "none=1" }, protocols });
    await browser.frame("connected");
  });
});
