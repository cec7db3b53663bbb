import { createMemoryStore, type Store } from "@turnwire/log";
import { checkGrammar, type JsonObject, type SessionEvent } from "@turnwire/protocol";
import { tmpdir } from "node:os";
import { afterEach, describe, expect, test } from "vitest";
import { ManualClock } from "../../../base/src/test-support/manual-clock.ts";
import { claudeCli } from "@turnwire/runtime-claude";
import type { AdoptedCli } from "@turnwire/runtime";
import {
  ScriptedCli,
  type ScriptedLink,
} from "../../../runtime-claude/src/cli/test-support/scripted-cli.ts";
import { eventOf, eventWhere, readAll } from "../test-support/log-reader.ts";
import { admin } from "../test-support/test-host.ts";
import type { Session } from "../2-session/session.ts";
import { SessionHost } from "./session-host.ts";

const opened: SessionHost[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((host) => host.close()));
});

function openHost(store: Store = createMemoryStore(), clock = new ManualClock()) {
  const errors: unknown[] = [];
  const host = new SessionHost({
    store,
    runtimes: [claudeCli({ clock })],
    defaultRuntime: "claude-cli",
    roots: [tmpdir()],
    clock,
    onError: (error) => errors.push(error),
  });
  opened.push(host);
  return { host, store, clock, errors };
}

const prompt = JSON.stringify({ type: "user", message: { role: "user", content: "hello" } });

/** Resolves with the session that a CLI has come to work in. */
async function sessionOf(host: SessionHost, adopted: AdoptedCli): Promise<Session> {
  const id =
    adopted.sessionId ?? (await new Promise<string>((resolve) => adopted.onSession(resolve)));
  const session = await host.open(id, admin);
  if (!session.ok) throw new Error(session.error.message);
  return session.value;
}

/** A CLI in the middle of its first turn. */
async function dialIn(host: SessionHost, cli = new ScriptedCli("/work/project")) {
  const link = cli.dial();
  const adopted = host.adoptCli(link, admin);
  await adopted.send(prompt);
  cli.init();
  return { cli, link, adopted, session: await sessionOf(host, adopted) };
}

async function linesOf(session: Session): Promise<string[]> {
  const events = await readAll(session.log);
  return events.flatMap((event) =>
    event.type === "native_line" && event.data.direction === "from_agent" ? [event.data.line] : [],
  );
}

function answerTo(line: string): (written: JsonObject) => boolean {
  const { request_id: id } = JSON.parse(line) as { request_id: string };
  return ({ type, response }) =>
    type === "control_response" && (response as JsonObject)["request_id"] === id;
}

function spokenIn(events: readonly SessionEvent[]): string[] {
  return events.flatMap((event) =>
    event.type === "message_complete"
      ? event.data.message.content.flatMap((block) =>
          typeof block["text"] === "string" ? [block["text"]] : [],
        )
      : [],
  );
}

async function allow(session: Session, id: string): Promise<void> {
  const command = { type: "permission_response", correlation_id: id, behavior: "allow" } as const;
  const answered = await session.execute(command, admin);
  if (!answered.ok) throw new Error(answered.error.message);
}

describe("a CLI that dials in", () => {
  test("is initialized at once, with a hook before every use of a tool", async () => {
    const { host } = openHost();
    const link = new ScriptedCli("/work").dial();
    host.adoptCli(link, admin);
    const { request } = await link.writtenWhere(({ type }) => type === "control_request");
    expect(request).toMatchObject({ subtype: "initialize", hooks: { PreToolUse: [{}] } });
  });

  test("names its session with its first turn, which has what a front end said before", async () => {
    const { host, errors } = openHost();
    const { cli, session } = await dialIn(host);
    cli.text("Good day.");
    cli.result();
    await eventOf(session.log, "done");
    const events = await readAll(session.log);
    expect(spokenIn(events)).toEqual(["Good day."]);
    expect(events.map(({ type }) => type)).toContain("user_message");
    expect(session.control.session).toMatchObject({
      runtime: "claude-cli",
      cwd: "/work/project",
      provider_session_id: cli.sessionId,
      model: "claude-sonnet-4-6",
    });
    expect(checkGrammar(events)).toEqual([]);
    expect(errors).toEqual([]);
  });

  test("gets what a front end said with all that it needs, or it would exit", async () => {
    const { host } = openHost();
    const link = new ScriptedCli("/work").dial();
    const said = { type: "user", message: { content: "hello" } };
    expect(await host.adoptCli(link, admin).send(JSON.stringify(said))).toBe(true);
    expect(await link.writtenWhere(({ type }) => type === "user")).toMatchObject({
      message: { role: "user", content: "hello" },
      parent_tool_use_id: null,
      uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  test("has its lines in the log as they were, before the events that they became", async () => {
    const { host } = openHost();
    const { cli, session } = await dialIn(host);
    cli.text("Grüße ✓");
    cli.result();
    await eventOf(session.log, "done");
    expect(await linesOf(session)).toEqual(cli.spoken);
  });

  test("gets the next message as a line of its own, with the id of the turn", async () => {
    const { host } = openHost();
    const { cli, link, session } = await dialIn(host);
    cli.result();
    await eventOf(session.log, "done");
    await session.execute(
      { type: "user_message", content: [{ type: "text", text: "again" }] },
      admin,
    );
    const { data } = await eventOf(session.log, "turn_started", 2);
    const said = await link.writtenWhere(({ uuid }) => uuid === data.turn_id);
    expect(said).toMatchObject({ type: "user", session_id: cli.sessionId });
    cli.result();
    await eventOf(session.log, "done", 2);
  });

  test("gets the answer of a person in the nested form", async () => {
    const { host } = openHost();
    const { cli, link, session } = await dialIn(host);
    const asked = cli.ask("toolu_1");
    await eventOf(session.log, "permission_request");
    await allow(session, "toolu_1");
    expect(await link.writtenWhere(answerTo(asked))).toMatchObject({
      response: {
        subtype: "success",
        response: { behavior: "allow", updatedInput: { command: "touch a" } },
      },
    });
  });

  test("works in another session once it names another", async () => {
    const { host } = openHost();
    const { cli, link, adopted, session } = await dialIn(host);
    cli.result();
    await eventOf(session.log, "done");
    const next = new Promise<string>((resolve) => adopted.onSession(resolve));
    const other = new ScriptedCli("/work/other");
    for (const line of [other.init(), other.text("elsewhere"), other.result()]) link.arrive(line);
    const moved = await host.open(await next, admin);
    if (!moved.ok) throw new Error(moved.error.message);
    expect(moved.value.id).not.toBe(session.id);
    await eventOf(moved.value.log, "done");
    expect(spokenIn(await readAll(moved.value.log))).toEqual(["elsewhere"]);
  });

  test("is not believed about a session in what a tool says", async () => {
    const { host } = openHost();
    const { cli, session } = await dialIn(host);
    cli.text(JSON.stringify({ session_id: "11111111-1111-4111-8111-111111111111" }));
    cli.result();
    await eventOf(session.log, "done");
    const { sessions } = await host.list({ principal: admin, limit: 10 });
    expect(sessions).toHaveLength(1);
  });

  test("fails a message with the next step once it is gone", async () => {
    const { host, clock } = openHost();
    const { cli, link, adopted, session } = await dialIn(host);
    cli.result();
    await eventOf(session.log, "done");
    link.drop();
    await adopted.ended;
    await clock.advance(61_000);
    await eventWhere(
      session.log,
      (event) => event.type === "session_updated" && event.data.status === "hibernated",
    );
    await session.execute({ type: "user_message", content: [{ type: "text", text: "?" }] }, admin);
    const { data } = await eventOf(session.log, "error");
    expect(data.message).toContain(`claude --resume ${cli.sessionId} --sdk-url`);
  });
});

describe("a CLI that dials in again", () => {
  test("is heard once, whatever it repeats", async () => {
    const { host } = openHost();
    const { cli, link, session } = await dialIn(host);
    cli.text("before");
    await eventOf(session.log, "delta");
    link.drop();
    const again = host.adoptCli(cli.dial(), admin);
    cli.text("after");
    cli.result();
    await eventOf(session.log, "done");
    expect((await sessionOf(host, again)).id).toBe(session.id);
    expect(spokenIn(await readAll(session.log))).toEqual(["before", "after"]);
    expect(await linesOf(session)).toEqual(cli.spoken);
  });

  test("gets what was answered while it was away", async () => {
    const { host } = openHost();
    const { cli, link, session } = await dialIn(host);
    const asked = cli.ask("toolu_1");
    await eventOf(session.log, "permission_request");
    link.drop();
    await allow(session, "toolu_1");
    const next = cli.dial();
    host.adoptCli(next, admin);
    expect(await next.writtenWhere(answerTo(asked))).toMatchObject({
      response: { response: { behavior: "allow" } },
    });
  });

  test("keeps its new connection when the old one closes late", async () => {
    const { host, clock } = openHost();
    const { cli, link, session } = await dialIn(host);
    const next = cli.dial();
    const again = host.adoptCli(next, admin);
    await sessionOf(host, again);
    expect(link.closeCode).toBe(4001);
    link.drop();
    await clock.advance(61_000);
    cli.text("still here");
    cli.result();
    await eventOf(session.log, "done");
    expect(spokenIn(await readAll(session.log))).toEqual(["still here"]);
  });
});

describe("a server that starts again while a CLI is at work", () => {
  /** The CLI is in a turn and waits for a permission when the server stops. */
  async function interrupted() {
    const first = openHost();
    const { cli, link, session } = await dialIn(first.host);
    cli.text("before");
    const asked = cli.ask("toolu_1");
    await eventOf(session.log, "permission_request");
    await first.host.close();
    return { cli, link, asked, sessionId: session.id, store: first.store };
  }

  async function reopened(store: Store, sessionId: string) {
    const second = openHost(store);
    await second.host.recover();
    const found = await second.host.open(sessionId, admin);
    if (!found.ok) throw new Error(found.error.message);
    return { ...second, session: found.value };
  }

  test("has it dial in again, and leaves its turn and its request open", async () => {
    const { link, store, sessionId } = await interrupted();
    expect(link.closeCode).toBe(1001);
    const { session } = await reopened(store, sessionId);
    expect(session.control.turn).not.toBeNull();
    expect(Object.keys(session.control.requests)).toEqual(["toolu_1"]);
  });

  test("continues the turn where it was, with the answer to the old request", async () => {
    const { cli, asked, store, sessionId } = await interrupted();
    const { host, session, errors } = await reopened(store, sessionId);
    const link = cli.dial();
    expect((await sessionOf(host, host.adoptCli(link, admin))).id).toBe(sessionId);
    await allow(session, "toolu_1");
    expect(await link.writtenWhere(answerTo(asked))).toMatchObject({
      response: { response: { behavior: "allow", updatedInput: { command: "touch a" } } },
    });
    cli.text("after");
    cli.result();
    await eventOf(session.log, "done");
    const events = await readAll(session.log);
    expect(spokenIn(events)).toEqual(["before", "after"]);
    expect(events.filter(({ type }) => type === "permission_request")).toHaveLength(1);
    expect(events.filter(({ type }) => type === "turn_started")).toHaveLength(1);
    expect(checkGrammar(events)).toEqual([]);
    expect(errors).toEqual([]);
  });

  test("passes on what was answered before the CLI was back, also across a further start", async () => {
    const { cli, asked, store, sessionId } = await interrupted();
    const second = await reopened(store, sessionId);
    await allow(second.session, "toolu_1");
    await second.host.close();
    const third = await reopened(store, sessionId);
    const link = cli.dial();
    third.host.adoptCli(link, admin);
    expect(await link.writtenWhere(answerTo(asked))).toMatchObject({
      response: { response: { behavior: "allow" } },
    });
  });

  test("settles the turn when the CLI does not come back in time", async () => {
    const { store, sessionId } = await interrupted();
    const { session, clock } = await reopened(store, sessionId);
    await clock.advance(61_000);
    await eventOf(session.log, "done");
    const events = await readAll(session.log);
    expect(session.control.turn).toBeNull();
    expect(session.control.requests).toEqual({});
    expect(events.find(({ type }) => type === "error")).toMatchObject({
      data: { code: "turn_lost" },
    });
  });
});

describe("the connection of a CLI", () => {
  async function closedBy(end: (host: SessionHost, session: Session) => Promise<unknown>) {
    const { host } = openHost();
    const { cli, link, adopted, session } = await dialIn(host);
    cli.result();
    await eventOf(session.log, "done");
    await end(host, session);
    await adopted.ended;
    return (link satisfies ScriptedLink).closeCode;
  }

  test("ends for good when its session is deleted or archived", async () => {
    expect(await closedBy((host, session) => host.delete(session.id, admin))).toBe(4001);
    expect(await closedBy((_host, session) => session.execute({ type: "archive" }, admin))).toBe(
      4001,
    );
  });

  test("is refused where somebody else has the conversation", async () => {
    const { host } = openHost();
    const { cli, session } = await dialIn(host);
    await host.close();
    const store = createMemoryStore();
    expect(session.owner).toBe("admin");
    const second = openHost(store);
    const other = cli.dial();
    const adopted = second.host.adoptCli(other, { id: "guest", isAdmin: false });
    await adopted.ended;
    // Where a guest may not work, its CLI may not be a session.
    expect(other.closeCode).toBe(4003);
  });
});
