import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { createClient } from "../client.ts";
import { placed, ready, turnStarted } from "../test-support/sample-event.ts";
import { ScriptedServer } from "../test-support/scripted-server.ts";
import { sendingMessages } from "./sending-message.ts";

let server: ScriptedServer;

beforeAll(async () => {
  server = await ScriptedServer.start();
});

afterAll(() => server.close());

/** Two messages that a cut line made fail. */
async function failTwo(id: string) {
  server.addSession(id, placed([ready, turnStarted("t1")]));
  const client = createClient({ url: server.url, token: server.token, sendAttempts: 1 });
  const session = client.openSession(id);
  onTestFinished(() => session.close());
  await session.waitFor(({ connection }) => connection.status === "live");
  server.fail(`/${id}/message`, { type: "drop_before" }, { type: "drop_before" });
  const said = { delivery: "queue", context: { page: "/settings" } } as const;
  const first = session.send("first", { client_message_id: "c1", ...said });
  const second = session.send("second", { client_message_id: "c2" });
  await Promise.allSettled([first, second]);
  const list = () => sendingMessages(session.getState().sending, (run) => run(session));
  return { session, list };
}

test("a message that is tried again goes out as it was, and leaves the list when the log has it", async () => {
  const { session, list } = await failTwo("again");
  expect(list().map(({ content, status }) => [content, status])).toEqual([
    ["first", "failed"],
    ["second", "failed"],
  ]);
  list()[0]?.retry();
  await session.waitFor(({ sending }) => sending["c1"]?.status === "sent");
  const tries = server.seenAt("/again/message").filter(({ body }) => {
    return JSON.stringify(body).includes("first");
  });
  expect(tries).toHaveLength(2);
  expect(tries[1]?.body).toEqual(tries[0]?.body);
  expect(tries[1]?.body).toMatchObject({ delivery: "queue", context: { page: "/settings" } });
  expect(list().map(({ content }) => content)).toEqual(["second"]);
});

test("a message that is let go is not in the list any more, and trying it again does nothing", async () => {
  const { session, list } = await failTwo("gone");
  const [, second] = list();
  second?.discard();
  await session.waitFor(({ sending }) => !("c2" in sending));
  expect(list().map(({ content }) => content)).toEqual(["first"]);
  second?.retry();
  expect(session.getState().sending).not.toHaveProperty("c2");
});
