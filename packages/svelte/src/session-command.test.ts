import { createClient } from "@turnwire/client";
import { describe, expect, inject, test } from "vitest";
import { demoClient } from "./test-support/demo-client.ts";
import { openPage } from "./test-support/open-page.svelte.ts";
import { scriptedClient } from "./test-support/scripted-client.ts";
import { until } from "./test-support/until.svelte.ts";

async function openDemo() {
  const client = demoClient();
  const { session_id } = await client.sessions.create();
  return { client, session_id, ...openPage(client, session_id) };
}

describe("a request", () => {
  test("waits with its answer bound to it, and is gone once it is answered", async () => {
    const { session } = await openDemo();
    session.send("/permission");
    await until(() => session.requests.length === 1);
    const [request] = session.requests;
    if (request?.type !== "permission") throw new Error(`asked for a ${request?.type}`);
    expect(request.progress).toEqual({ status: "requested" });
    request.respond({ behavior: "allow" });
    await until(() => session.requests.length === 0 && !session.isRunning);

    const blocks = session.messages.flatMap((message) =>
      message.role === "agent" ? message.blocks : [],
    );
    const block = blocks.find(({ type }) => type === "permission");
    if (block?.type !== "permission") throw new Error("the permission left no block");
    expect(session.request(block)).toMatchObject({
      id: request.id,
      progress: { status: "resolved", outcome: "answered" },
    });
  });

  test("that somebody else answered first says so", async () => {
    const { client, session, session_id } = await openDemo();
    session.send("/question");
    await until(() => session.requests.length === 1);
    const [request] = session.requests;
    if (request?.type !== "question") throw new Error(`asked for a ${request?.type}`);
    const [question] = request.request.questions;
    const answers = { [question?.question ?? ""]: question?.options[0]?.label ?? "" };
    await client.sessions.command(session_id, {
      type: "question_response",
      correlation_id: request.id,
      answers,
    });
    request.respond({ answers });
    const blocks = () => session.messages.flatMap((said) => ("blocks" in said ? said.blocks : []));
    await until(() =>
      blocks().some(
        (block) => block.type === "question" && session.request(block).progress.error !== undefined,
      ),
    );
    const block = blocks().find(({ type }) => type === "question");
    expect(block?.type === "question" && session.request(block).progress.status).toBe("conflict");
  });

  test("that did not change is the same object while the conversation continues", async () => {
    const { client, push } = scriptedClient();
    const { session } = openPage(client, "s1");
    const asked = (correlation_id: string) =>
      ({
        type: "permission_request",
        data: { correlation_id, tool_name: "Bash", tool_input: {} },
      }) as const;
    push(asked("p1"));
    await until(() => session.requests.length === 1);
    const [first] = session.requests;
    push(asked("p2"));
    await until(() => session.requests.length === 2);
    expect(session.requests[0]).toBe(first);
  });
});

describe("a turn", () => {
  test("is being stopped from the moment it is asked to, until it is done", async () => {
    const { session } = await openDemo();
    session.send("/permission");
    await until(() => session.requests.length === 1);
    expect(session.turn).not.toBeNull();
    const stopped = session.interrupt();
    expect(session.isCancelling).toBe(true);
    await stopped;
    await until(() => !session.isRunning);
    expect(session.isCancelling).toBe(false);
  });
});

describe("the shared state", () => {
  test("is the same here and at the agent's, whoever changes it", async () => {
    const { session } = await openDemo();
    session.send("/state");
    await until(() => session.state.shared_version > 0 && !session.isRunning);
    await session.patchSharedState({ op: "replace", path: "/title", value: "Tomorrow" });
    await until(() => JSON.stringify(session.sharedState).includes("Tomorrow"));
    expect(session.sharedState).toMatchObject({ title: "Tomorrow", open: 2 });
  });

  test("shows a change at once, and a function makes it from what is there", async () => {
    const { session } = await openDemo();
    session.send("/state");
    await until(() => session.state.shared_version > 0 && !session.isRunning);
    const renamed = session.patchSharedState((shared) => [
      { op: "replace", path: "/title", value: `${String(Object(shared).title)} too` },
    ]);
    expect(session.sharedState).toMatchObject({ title: "Today too" });
    expect(session.state.shared).toMatchObject({ title: "Today" });
    await renamed;
    await until(() => JSON.stringify(session.state.shared).includes("Today too"));
  });

  test("refuses a patch that does not fit", async () => {
    const { session } = await openDemo();
    await until(() => session.connection.status === "live");
    await expect(
      session.patchSharedState({ op: "replace", path: "/no/such/place", value: 1 }),
    ).rejects.toMatchObject({ status: 400 });
  });
});

describe("a message", () => {
  test("that did not get through is kept to try again, or to let go", async () => {
    const working = demoClient();
    const { session_id } = await working.sessions.create();
    let isCut = true;
    const client = createClient({
      ...inject("demo"),
      transport: "sse",
      lingerMs: 0,
      sendAttempts: 1,
      fetch: (url, init) =>
        isCut && init.method === "POST" ? Promise.reject(new TypeError("cut")) : fetch(url, init),
    });
    const { session } = openPage(client, session_id);
    await until(() => session.connection.status === "live");
    session.send("first");
    session.send("second");
    await until(() => session.sending.every(({ status }) => status === "failed"));
    expect(session.sending.map(({ content }) => content)).toEqual(["first", "second"]);

    isCut = false;
    session.sending[1]?.discard();
    await until(() => session.sending.length === 1);
    session.sending[0]?.retry();
    await until(() => session.sending.length === 0 && session.messages.length === 2);
    expect(session.messages[0]).toMatchObject({ content: [{ type: "text", text: "first" }] });
  });
});
