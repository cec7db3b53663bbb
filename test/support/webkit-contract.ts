import type { Runtime } from "@turnwire/runtime";
import {
  type AgentClient,
  type ContentBlock,
  createAgentClient,
  TransportError,
} from "@agent-webkit/core";
import {
  createMemoryStore,
  createSessionHost,
  createTurnwireServer,
  type TurnwireServer,
} from "@turnwire/server";
import { webkit } from "@turnwire/wire-webkit";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { CuttingFetch, WebkitTab } from "./webkit-tab.ts";

const token = "webkit-token-0123456789-abcdefghijklmnopqrstuvwxyz";

/** A whole PNG of one pixel. */
const onePixel =
  "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000a49444154789c6360000000020001e221bc330000000049454e44ae426082";

export interface WebkitSubject {
  readonly createRuntime: () => Runtime;
  /** Where the agent may work. */
  readonly cwd: () => string;
  /** Prompts that make the agent do it. */
  readonly prompts: {
    readonly text: string;
    readonly long: string;
    /** An answer that does not end by itself; a new one for each call. */
    readonly endless: () => string;
    /** A tool use that asks first. */
    readonly permission: string;
    readonly question: string;
    /** Other uses of tools; whatever asks for permission is allowed. */
    readonly tools: readonly string[];
    /** A task that continues until it is stopped, where the agent has tasks. */
    readonly task?: string;
    /** The agent dies before the turn ends. */
    readonly crash?: string;
    /** The model cannot be asked, and the turn ends with a result all the same. */
    readonly failure: string;
  };
  /** Answers to the question, and a text that only they lead to. */
  readonly answers: { readonly given: unknown; readonly trace: string };
  /** An input to allow instead of the asked one, where the agent takes one, and a text that only it leads to. */
  readonly edit?: { readonly input: Record<string, unknown>; readonly trace: string };
  readonly model: string;
  readonly mode: string;
}

/** A server with the agent, and agent-webkit's own client. */
class WebkitServer {
  readonly url: string;
  readonly client: AgentClient;
  readonly #prompts: WebkitSubject["prompts"];
  readonly #server: TurnwireServer;

  static async start({ createRuntime, cwd, prompts }: WebkitSubject): Promise<WebkitServer> {
    const runtime = createRuntime();
    const host = createSessionHost({
      store: createMemoryStore(),
      runtimes: [runtime],
      defaultRuntime: runtime.name,
      roots: [cwd()],
    });
    const server = await createTurnwireServer({
      host,
      auth: { type: "token", token },
      wires: [webkit()],
    });
    const { url } = await server.listen();
    return new WebkitServer(url, server, prompts);
  }

  private constructor(url: string, server: TurnwireServer, prompts: WebkitSubject["prompts"]) {
    this.url = url;
    this.client = this.connect();
    this.#server = server;
    this.#prompts = prompts;
  }

  /** Another client, whose requests may fail. */
  connect(fetchImpl?: typeof fetch): AgentClient {
    return createAgentClient({ baseUrl: `${this.url}/`, token, ...(fetchImpl && { fetchImpl }) });
  }

  /** A tab on a session of its own, which ends with the test. */
  async open(): Promise<WebkitTab> {
    const tab = new WebkitTab(await this.client.createSession());
    onTestFinished(() => tab.session.close());
    return tab;
  }

  /** Another tab on the session of the first. */
  join({ session }: WebkitTab, by = this.client): WebkitTab {
    const tab = new WebkitTab(by.attachSession(session.id));
    onTestFinished(() => tab.session.detach());
    return tab;
  }

  /** A tab whose agent asks for permission. */
  async openAsked() {
    const tab = await this.open();
    await tab.session.send(this.#prompts.permission);
    return { tab, asked: await tab.first("permission_request") };
  }

  close(): Promise<void> {
    return this.#server.close();
  }
}

/** Promises to agent-webkit's published clients, with any agent behind our server. */
export function webkitContract(name: string, subject: WebkitSubject): void {
  webkitTurns(name, subject);
  webkitDelivery(name, subject);
}

/** As much of it as depends on what the agent does. */
export function webkitTurns(name: string, subject: WebkitSubject): void {
  describe(`agent-webkit's clients with ${name}`, () => {
    const { prompts } = subject;
    let server: WebkitServer;

    beforeAll(async () => {
      server = await WebkitServer.start(subject);
    });
    afterAll(() => server.close());

    test("deltas reconcile to the complete message, and the turn leaves the hook idle", async () => {
      const tab = await server.open();
      await tab.turn(prompts.text);
      const deltas = tab.all("message_delta");
      const said = deltas.map(({ delta }) => ("text" in delta ? delta.text : "")).join("");
      expect(said).not.toBe("");
      expect(tab.text).toBe(said);
      const [assistant] = tab.state.messages;
      expect(assistant).toMatchObject({ kind: "assistant", streaming: false });
      expect(tab.state).toMatchObject({ status: "idle", lastError: null });
      expect(tab.all("result")).toHaveLength(1);
      expect(tab.events.map(({ id }) => id)).toEqual(tab.events.map((_, index) => index + 1));
    });

    test("an allowed tool is used and has its result", async () => {
      const { tab, asked } = await server.openAsked();
      expect(tab.state.status).toBe("awaiting_permission");
      expect(tab.state.pendingPermission).toEqual(asked);
      expect(asked.context).toMatchObject({ suggestions: expect.any(Array) });
      await tab.session.approve(asked.correlation_id);
      await tab.turns(1);
      const use = await tab.first("tool_use");
      expect(asked.context).toMatchObject({ tool_use_id: use.tool_use_id });
      expect(use).toMatchObject({ tool_name: asked.tool_name, input: asked.input });
      const result = await tab.first("tool_result");
      expect(result).toMatchObject({ tool_use_id: use.tool_use_id, is_error: false });
      expect(tab.state.messages.filter(({ kind }) => kind === "tool_result")).toHaveLength(1);
      expect(tab.state.status).toBe("idle");
      const blocks = tab
        .all("message_complete")
        .flatMap(({ message }) => message.content)
        .filter(({ type }) => type === "tool_use");
      const { tool_use_id: id, tool_name, input } = use;
      expect(blocks).toEqual([{ type: "tool_use", id, name: tool_name, input }]);
    });

    test("every use of a tool is a block in the hook, once, and its result follows", async () => {
      const tab = await server.open();
      const allowed = new Set<string>();
      const open = () =>
        tab.all("permission_request").filter(({ correlation_id: id }) => !allowed.has(id));
      for (const [index, prompt] of prompts.tools.entries()) {
        await tab.session.send(prompt);
        const isOver = () => tab.named("turn_done").length > index;
        while (!isOver()) {
          await tab.until(() => isOver() || open().length > 0);
          for (const { correlation_id: id } of open()) {
            allowed.add(id);
            await tab.session.approve(id);
          }
        }
      }
      const used = tab.all("tool_use").map(({ tool_use_id }) => tool_use_id);
      const shown = tab.state.messages.flatMap((message) =>
        message.kind === "assistant"
          ? message.content.flatMap((block) => (block.type === "tool_use" ? [block.id] : []))
          : [],
      );
      expect(used.length).toBeGreaterThanOrEqual(prompts.tools.length);
      expect(shown).toEqual(used);
      const results = tab.state.messages.filter(({ kind }) => kind === "tool_result");
      expect(results).toHaveLength(used.length);
    });

    test.runIf(subject.edit)("a tool runs with the input that a person changed", async () => {
      const { input = {}, trace = "" } = subject.edit ?? {};
      const { tab, asked } = await server.openAsked();
      await tab.session.approve(asked.correlation_id, { updatedInput: input });
      await tab.turns(1);
      expect(tab.text).toContain(trace);
    });

    test("a question is answered", async () => {
      const tab = await server.open();
      await tab.session.send(prompts.question);
      const asked = await tab.first("ask_user_question");
      expect(tab.state.pendingQuestion).toEqual(asked);
      const [question] = asked.questions.questions;
      expect(question).toMatchObject({ multiSelect: false, options: expect.any(Array) });
      await tab.session.answer(asked.correlation_id, subject.answers.given);
      await tab.turns(1);
      expect(tab.text).toContain(subject.answers.trace);
    });

    test("an interrupt ends the turn and leaves no message unfinished", async () => {
      const tab = await server.open();
      await tab.session.send(prompts.endless());
      await tab.first("message_delta");
      await tab.session.interrupt();
      await tab.turns(1);
      expect(await tab.first("result")).toMatchObject({ subtype: "interrupted" });
      expect(tab.state.status).toBe("idle");
      expect(tab.unfinished).toEqual([]);
    });

    test("model and permission mode change, and a mode that there is not is refused", async () => {
      const tab = await server.open();
      await tab.turn(prompts.text);
      await tab.session.setModel(subject.model);
      await tab.session.setPermissionMode(subject.mode);
      const changed = (): string => JSON.stringify(tab.named("session_updated"));
      await tab.until(() => changed().includes(`"${subject.mode}"`));
      expect(changed()).toContain(`"${subject.model}"`);
      const refusal = tab.session.setPermissionMode("no-such-mode");
      await expect(refusal).rejects.toMatchObject({ name: "TransportError" });
      await tab.session.setModel(null);
    });

    test("words with a picture reach the agent as they were sent", async () => {
      const tab = await server.open();
      const data = Buffer.from(onePixel, "hex").toString("base64");
      const content: ContentBlock[] = [
        { type: "image", source: { type: "base64", media_type: "image/png", data } },
        { type: "text", text: prompts.text },
      ];
      await tab.session.send(content);
      await tab.turns(1);
      expect(tab.named("user_message")).toMatchObject([{ data: { content } }]);
      expect(tab.text).not.toBe("");
    });

    test.runIf(prompts.task)("a task is stopped", async () => {
      const tab = await server.open();
      await tab.turn(prompts.task ?? "");
      const [started] = tab.named("task").map(({ data }) => JSON.parse(JSON.stringify(data)));
      await tab.session.stopTask(started.task_id);
      const tasks = (): string => JSON.stringify(tab.named("task"));
      await tab.until(() => tasks().includes('"stopped"'));
      expect(tasks()).toContain(started.task_id);
    });

    test("a failure of the model is shown by the hook, which is idle after it", async () => {
      const tab = await server.open();
      await tab.turn(prompts.failure);
      const [failure] = tab.all("error");
      expect(failure).toMatchObject({ code: expect.any(String), message: expect.any(String) });
      expect(tab.state).toMatchObject({ status: "idle", lastError: failure });
      await tab.turn(prompts.text);
      expect(tab.state.status).toBe("idle");
    });

    test.runIf(prompts.crash)("a dead agent is an error, and the next turn runs", async () => {
      const tab = await server.open();
      await tab.turn(prompts.crash ?? "");
      expect(tab.state).toMatchObject({ status: "error", lastError: { code: "agent_exited" } });
      await tab.turn(prompts.text);
      expect(tab.state.status).toBe("idle");
      expect(tab.all("result")).toHaveLength(1);
      expect(tab.unfinished).toEqual([]);
    });
  });
}

/** Every status that a model's API may refuse with, where the agent is asked for it by a prompt. */
export function webkitFailures(
  name: string,
  subject: WebkitSubject,
  prompts: readonly string[],
): void {
  describe(`agent-webkit's clients with a failing model of ${name}`, () => {
    let server: WebkitServer;

    beforeAll(async () => {
      server = await WebkitServer.start(subject);
    });
    afterAll(() => server.close());

    test.each(prompts)("see that %s failed, and are idle after it", async (prompt) => {
      const tab = await server.open();
      await tab.turn(prompt);
      expect(tab.all("error")).not.toEqual([]);
      expect(tab.state).toMatchObject({ status: "idle", lastError: tab.all("error").at(-1) });
    });
  });
}

/** As much of it as depends on what the server makes of that: answers, tabs, ends. */
export function webkitDelivery(name: string, subject: WebkitSubject): void {
  describe(`agent-webkit's clients with a session of ${name}`, () => {
    const { prompts } = subject;
    let server: WebkitServer;

    beforeAll(async () => {
      server = await WebkitServer.start(subject);
    });
    afterAll(() => server.close());

    test("a new session is ready, with the protocol that they speak", async () => {
      const tab = await server.open();
      const ready = await tab.first("session_ready");
      expect(ready).toEqual({ session_id: tab.session.id, protocol_version: "1.0" });
      expect(tab.session.protocolVersion).toBe("1.0");
      expect(tab.events[0]).toMatchObject({ id: 1, event: "session_ready" });
    });

    test("a denied tool has an error for its result, and the turn continues", async () => {
      const { tab, asked } = await server.openAsked();
      await tab.session.deny(asked.correlation_id, { message: "not today" });
      await tab.turns(1);
      expect(await tab.first("tool_result")).toMatchObject({ is_error: true });
      expect(await tab.first("result")).toMatchObject({ subtype: "success" });
      expect(tab.text).not.toBe("");
    });

    test("a denial with interrupt ends the turn, and the next one runs", async () => {
      const { tab, asked } = await server.openAsked();
      await tab.session.deny(asked.correlation_id, { interrupt: true });
      await tab.turns(1);
      expect(tab.state.status).toBe("idle");
      await tab.turn(prompts.text);
      const subtypes = tab.all("result").map(({ subtype }) => subtype);
      expect(subtypes).toEqual(["interrupted", "success"]);
    });

    test("of two tabs that answer at once the first wins and the other gets 409", async () => {
      const { tab, asked } = await server.openAsked();
      const other = server.join(tab);
      await other.first("permission_request");
      const outcomes = await Promise.allSettled(
        [tab, other].map(({ session }) => session.approve(asked.correlation_id)),
      );
      expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      const lost = outcomes.flatMap((outcome) =>
        outcome.status === "rejected" ? [outcome.reason] : [],
      );
      expect(lost).toEqual([expect.any(TransportError)]);
      expect(lost).toMatchObject([{ status: 409 }]);
      await Promise.all([tab.turns(1), other.turns(1)]);
      expect(other.events).toEqual(tab.events);
      expect(tab.names).toContain("permission_resolved");
    });

    test("a stream that breaks continues where it stopped, with nothing lost or twice", async () => {
      const cutting = new CuttingFetch();
      const cut = server.connect(cutting.fetch);
      const tab = await server.open();
      const broken = server.join(tab, cut);
      await Promise.all([tab.turn(prompts.long), broken.turns(1)]);
      expect(cutting.cuts).toBeGreaterThan(1);
      expect(broken.events).toEqual(tab.events);
      expect(broken.state).toEqual(tab.state);
    });

    test("who comes later sees the same as who was there", async () => {
      const tab = await server.open();
      await tab.turn(prompts.text);
      const later = server.join(tab);
      await later.turns(1);
      expect(later.state).toEqual(tab.state);
    });

    test("a place that the log does not have is 412", async () => {
      const { session } = await server.open();
      const lost = new WebkitTab(
        server.client.attachSession(session.id, { resumeFromEventId: "99999" }),
      );
      expect(await lost.ended).toMatchObject({ name: "TransportError", status: 412 });
    });

    test("deleting the session in mid-turn ends every stream with done and without an error", async () => {
      const { tab } = await server.openAsked();
      const other = server.join(tab);
      await other.first("permission_request");
      await tab.session.close();
      expect(await other.ended).toBeUndefined();
      expect(other.events.at(-1)).toMatchObject({ event: "done", data: {} });
      expect(other.state).toMatchObject({ status: "idle", lastError: null });
      await expect(other.session.send("hello?")).rejects.toMatchObject({ status: 404 });
      await other.session.close();
    });
  });
}
