/** A front end that knows only the relays of agents-ui and loop, on ours. */
import { realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { createClient } from "@turnwire/client";
import { RelayDiscovery } from "@turnwire/client/relay";
import { createMemoryStore } from "@turnwire/log";
import { describe, expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { startRelay } from "../packages/wire-relay/src/test-support/relay-client.ts";
import { AgentsUiFrontEnd } from "./support/agents-ui-front-end.ts";

/** A relay with `--no-auth`, as a front end without credentials needs it, and a way to prompt its agents. */
async function start(options: Parameters<typeof startRelay>[0] = {}) {
  const running = await startRelay({ auth: { type: "off" }, ...options });
  const client = createClient({ url: running.url });
  const prompt = async (sessionId: string, message: string): Promise<void> => {
    const answer = await running.request(`/sessions/${sessionId}/message`, { json: { message } });
    expect(answer.status).toBe(202);
  };
  return { ...running, client, prompt };
}

describe("agents-ui on our relay", () => {
  test("gives each session a tab and shows its text, tools and turns there", async () => {
    const { relayUrl, createSession, prompt } = await start();
    const frontEnd = await AgentsUiFrontEnd.open(relayUrl);
    const [first, second] = [await createSession(), await createSession()];
    const completed = (id: string, turns: number) =>
      frontEnd.until(() => {
        const tab = frontEnd.tab(id);
        return tab && tab.completedTurns >= turns ? tab : undefined;
      });
    await prompt(first, "/markdown");
    const begun = await completed(first, 1);
    await prompt(first, "/markdown");
    await prompt(second, "/tools");
    const [told, worked] = [await completed(first, 2), await completed(second, 1)];
    expect(frontEnd.tabs.length).toBe(2);
    expect(told.streamed.slice(begun.streamed.length)).toBe(told.messages.at(-1));
    expect(told.status).toBe("connected");
    expect(worked.toolCalls.length).toBeGreaterThan(0);
    expect(worked.toolResults.length).toBe(worked.toolCalls.length);
    expect(frontEnd.sent).toEqual([]);
  });

  test.each([
    { allow: true, says: "allowed" },
    { allow: false, says: "denied" },
  ])("decides with its own form of answer: $says", async ({ allow }) => {
    const { relayUrl, createSession, prompt, client } = await start();
    const frontEnd = await AgentsUiFrontEnd.open(relayUrl);
    const id = await createSession();
    await prompt(id, "/permission");
    const card = await frontEnd.until(() => frontEnd.tab(id)?.approvals[0]);
    frontEnd.answer(card, allow);
    await frontEnd.until(() => frontEnd.tab(id)?.completedTurns || undefined);
    expect(frontEnd.sent).toEqual([
      `{"type":"control_response","request_id":"${card.requestId}","permission":{"allow":${allow}}}`,
    ]);
    const { state } = await client.sessions.snapshot(id);
    const blocks = state.messages.flatMap((message) =>
      message.role === "agent" ? message.blocks : [],
    );
    expect(blocks.find(({ type }) => type === "permission")).toMatchObject({
      resolution: { outcome: "answered", allowed: allow },
    });
  });

  test("answers a question by the form of its card", async () => {
    const { relayUrl, createSession, prompt, client } = await start();
    const frontEnd = await AgentsUiFrontEnd.open(relayUrl);
    const id = await createSession();
    await prompt(id, "/question");
    const card = await frontEnd.until(() => frontEnd.tab(id)?.approvals[0]);
    expect(card.toolName).toBe("AskUserQuestion");
    const { state } = await client.sessions.snapshot(id);
    const [open] = Object.values(state.requests);
    const questions = open?.type === "question_request" ? open.data.questions : [];
    const answers = Object.fromEntries(
      questions.map(({ question, options }) => [question, options[0]?.label ?? "yes"]),
    );
    frontEnd.reply(card, answers);
    await frontEnd.until(() => frontEnd.tab(id)?.completedTurns || undefined);
    expect(frontEnd.tab(id)?.messages.join(" ")).toContain(Object.values(answers)[0]);
  });

  test("that is opened late shows the session so far, and what still waits", async () => {
    const { relayUrl, createSession, prompt } = await start();
    const early = await AgentsUiFrontEnd.open(relayUrl);
    const id = await createSession();
    await prompt(id, "/markdown");
    await early.until(() => early.tab(id)?.completedTurns || undefined);
    await prompt(id, "/permission");
    const card = await early.until(() => early.tab(id)?.approvals[0]);
    const late = await AgentsUiFrontEnd.open(relayUrl);
    expect(await late.until(() => late.tab(id)?.approvals[0])).toEqual(card);
    expect(late.tab(id)?.messages[0]).toBe(early.tab(id)?.messages[0]);
    late.answer(card, true);
    await early.until(() => early.tab(id)?.completedTurns === 2 || undefined);
    expect(early.tabs.length).toBe(1);
  });

  test("finds a session again after a restart of the relay, with all that was said", async () => {
    const hostOptions = { store: createMemoryStore(), roots: [realpathSync(tmpdir())] };
    const before = await start({ hostOptions });
    const frontEnd = await AgentsUiFrontEnd.open(before.relayUrl);
    const id = await before.createSession();
    await before.prompt(id, "/markdown");
    await frontEnd.until(() => frontEnd.tab(id)?.completedTurns || undefined);
    const { port } = new URL(before.relayUrl);
    await before.server.close();
    await frontEnd.until(() => frontEnd.tab(id)?.status === "disconnected" || undefined);
    const after = await start({ hostOptions, relay: { port: Number(port) } });
    await frontEnd.connect();
    await after.prompt(id, "/tools");
    const tab = await frontEnd.until(() => {
      const newest = frontEnd.tab(id);
      return newest?.status === "connected" && newest.toolResults.length > 0 ? newest : undefined;
    });
    expect(tab.messages[0]).toBe(frontEnd.tabs[0]?.messages[0]);
    expect(frontEnd.tabs.map(({ status }) => status)).toEqual(["disconnected", "connected"]);
  });
});

test("our own discovery finds the relay and its sessions", async () => {
  const { relayUrl, createSession, prompt } = await start();
  const port = Number(new URL(relayUrl).port);
  const discovery = new RelayDiscovery({
    ports: [port],
    createSocket: (url) => new WebSocket(url),
  });
  onTestFinished(() => discovery.close());
  const id = await createSession();
  await prompt(id, "/markdown");
  await expect
    .poll(() => discovery.getState())
    .toMatchObject([{ port, agents: [{ sessionId: id, status: "connected" }] }]);
});
