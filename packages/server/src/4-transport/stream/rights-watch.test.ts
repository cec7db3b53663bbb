import { describe, expect, onTestFinished, test } from "vitest";
import type { Principal } from "@turnwire/protocol";
import type { AuthRequest } from "../auth/auth.ts";
import { appendTexts, codeOf, metricIs, startServer } from "../test-support/running-server.ts";
import { openSocket } from "../test-support/socket-client.ts";
import { readSse } from "../test-support/sse-reader.ts";
import { WatchedClock } from "../test-support/watched-clock.ts";

/** A server whose people, by bearer token, the test may change. */
async function startWithPeople(names: readonly string[] = ["anna", "root"]) {
  const clock = new WatchedClock();
  const people = new Map<string, Principal>(
    names.map((id) => [id, { id, isAdmin: id === "root" }]),
  );
  let asked = 0;
  const authorize = ({ bearer = "" }: AuthRequest) => {
    asked += 1;
    return people.get(bearer) ?? null;
  };
  const running = await startServer({ clock, auth: { type: "authorize", authorize } });
  const as = (name: string) => ({ headers: { authorization: `Bearer ${name}` } });
  const request = (path: string, name: string, json?: unknown) =>
    running.request(path, { ...as(name), ...(json !== undefined && { json }) });
  /** Read by any admin, because the test may take rights away from one. */
  const metric = async (name: string): Promise<number> => {
    const admin = [...people].find(([, { isAdmin }]) => isAdmin)?.[0] ?? "";
    const text = await (await request("/metrics", admin)).text();
    const lines = text.split("\n").filter((line) => /^[a-z_]+/.exec(line)?.[0] === name);
    return lines.reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
  };
  const read = async (path: string, name: string) => {
    const reader = await readSse(`${running.url}${path}`, as(name).headers);
    onTestFinished(() => reader.close());
    return reader;
  };
  return {
    ...running,
    clock,
    people,
    request,
    read,
    socket: (path: string, name: string) => openSocket(`${running.url}${path}`, as(name)),
    asked: () => asked,
    createFor: async (name: string) => {
      const answer = await request("/sessions", name, {});
      return ((await answer.json()) as { session_id: string }).session_id;
    },
    metric,
    metricIs: (name: string, value: number) => metricIs({ metric }, name, value),
    subscribers: (count: number) => metricIs({ metric }, "turnwire_subscribers", count),
  };
}

describe("a command over WebSocket", () => {
  test("is judged by the rights of its moment: a principal that lost admin rights may not widen an agent's", async () => {
    const { socket, people, createFor } = await startWithPeople();
    const client = await socket(`/sessions/${await createFor("root")}/ws`, "root");
    const widen = { type: "set_permission_mode", mode: "bypassPermissions" };
    client.send({ id: 1, command: widen });
    await client.until(() => client.messages.some(({ id }) => id === 1));
    people.set("root", { id: "root", isAdmin: false });
    client.send({ id: 2, command: widen });
    await client.until(() => client.messages.some(({ id }) => id === 2));
    expect(client.messages.find(({ id }) => id === 1)).toMatchObject({ type: "ack" });
    expect(client.messages.find(({ id }) => id === 2)).toMatchObject({
      type: "rejected",
      error: { code: "forbidden" },
    });
  });

  test("closes with 4404 where the session is out of reach by now, and does nothing", async () => {
    const { socket, people, createFor, host } = await startWithPeople();
    const id = await createFor("anna");
    const client = await socket(`/sessions/${id}/ws`, "root");
    people.set("root", { id: "root", isAdmin: false });
    client.send({ id: 1, command: { type: "rename", title: "not yours" } });
    expect(await client.closed).toEqual({ code: 4404, reason: "session_not_found" });
    const session = await host.open(id, { id: "anna", isAdmin: false });
    expect(session.ok && session.value.log.head).toBe(1);
  });

  test("is rejected, and the next one taken, when the hook fails for a moment", async () => {
    let isBroken = false;
    const authorize = () => {
      if (isBroken) throw new Error("the database is away");
      return { id: "anna", isAdmin: false };
    };
    const running = await startServer({ auth: { type: "authorize", authorize } });
    const client = await openSocket(`${running.url}/sessions/${await running.createSession()}/ws`);
    isBroken = true;
    client.send({ id: 1, command: { type: "rename", title: "x" } });
    await client.until(() => client.messages.some(({ id }) => id === 1));
    isBroken = false;
    client.send({ id: 2, command: { type: "rename", title: "y" } });
    await client.until(() => client.messages.some(({ id }) => id === 2));
    expect(client.messages.filter(({ id }) => id !== undefined)).toMatchObject([
      { id: 1, type: "rejected", error: { code: "internal" } },
      { id: 2, type: "ack" },
    ]);
  });
});

describe("an open connection", () => {
  test("ends within 30 s when its credential is worth nothing any more", async () => {
    const { socket, read, people, createFor, clock, subscribers, request } =
      await startWithPeople();
    const id = await createFor("anna");
    const readers = [
      await read(`/sessions/${id}/events`, "anna"),
      await read(`/sessions/${id}/stream`, "anna"),
      await read("/watch", "anna"),
    ];
    const sockets = [await socket(`/sessions/${id}/ws`, "anna"), await socket("/watch/ws", "anna")];
    const other = await read("/watch", "root");
    await subscribers(6);
    people.delete("anna");
    await clock.beat(30);
    for (const reader of readers) await reader.ended;
    for (const client of sockets) {
      expect(await client.closed).toEqual({ code: 4401, reason: "unauthorized" });
    }
    await subscribers(1);
    expect(await codeOf(await request(`/sessions/${id}/events`, "anna"))).toBe("unauthorized");
    const made = await createFor("root");
    await other.until(() => other.frames.some(({ data }) => data.includes(made)));
  });

  test("ends when its session is out of reach, and a watch begins again with what may be seen", async () => {
    const { socket, read, people, createFor, clock, subscribers, request } = await startWithPeople([
      "anna",
      "boss",
      "root",
    ]);
    people.set("boss", { id: "boss", isAdmin: true });
    const id = await createFor("anna");
    const events = await read(`/sessions/${id}/events`, "boss");
    const watch = await read("/watch", "boss");
    const client = await socket(`/sessions/${id}/ws`, "boss");
    const watcher = await socket("/watch/ws", "boss");
    await subscribers(4);
    people.set("boss", { id: "boss", isAdmin: false });
    await clock.beat(30);
    await events.ended;
    await watch.ended;
    expect(await client.closed).toEqual({ code: 4404, reason: "session_not_found" });
    expect(await watcher.closed).toEqual({ code: 1001, reason: "rights changed" });
    expect(await codeOf(await request(`/sessions/${id}/events`, "boss"))).toBe("session_not_found");
    const again = await read("/watch", "boss");
    await again.until(() => again.frames.length > 0);
    expect(again.frames[0]?.data).not.toContain(id);
  });

  test("gets nothing more from the moment its right is gone, however long it takes to answer", async () => {
    const { socket, people, createFor, clock, metricIs, metric, host } = await startWithPeople();
    const id = await createFor("anna");
    const client = await socket(`/sessions/${id}/ws`, "root");
    await metricIs("turnwire_subscribers", 1);
    people.set("boss", { id: "boss", isAdmin: true });
    people.delete("root");
    // A paused peer does not answer the close, so the connection stays open.
    client.websocket.pause();
    await clock.beat(30);
    const sent = await metric("turnwire_sent_bytes_total");
    const session = await host.open(id, { id: "anna", isAdmin: false });
    if (!session.ok) throw new Error(session.error.message);
    await appendTexts(session.value, ["too late"]);
    await clock.beat(5);
    expect(await metric("turnwire_subscribers")).toBe(1);
    expect(await metric("turnwire_sent_bytes_total")).toBe(sent);
    client.websocket.resume();
    expect(await client.closed).toMatchObject({ code: 4401 });
  });

  test("costs one question for all with the same credential and path", async () => {
    const { read, createFor, clock, subscribers, asked } = await startWithPeople();
    const id = await createFor("anna");
    for (let after = 0; after < 20; after++) {
      await read(`/sessions/${id}/events?after=${after % 2}`, "anna");
    }
    await subscribers(20);
    const before = asked();
    await clock.beat(30);
    expect(asked() - before).toBe(1);
  });

  test("stays while the hook fails, which is reported", async () => {
    const clock = new WatchedClock();
    let isBroken = false;
    const authorize = () => {
      if (isBroken) throw new Error("the database is away");
      return { id: "anna", isAdmin: true };
    };
    const running = await startServer({ clock, auth: { type: "authorize", authorize } });
    const client = await openSocket(`${running.url}/watch/ws`);
    await metricIs(running, "turnwire_subscribers", 1);
    isBroken = true;
    await clock.beat(30);
    expect(running.errors).toHaveLength(1);
    isBroken = false;
    await clock.beat(30);
    const id = await running.createSession();
    await client.until(() => JSON.stringify(client.messages).includes(id));
    expect(client.websocket.readyState).toBe(client.websocket.OPEN);
  });
});
