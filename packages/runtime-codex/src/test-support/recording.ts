import {
  codexHome,
  type CodexHomeOptions,
  type OpenaiStandin,
  type OpenaiStandinOptions,
  startOpenaiStandin,
} from "@turnwire/conformance/openai-standin";
import { JsonObject } from "@turnwire/protocol";
import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import * as z from "zod";
import { type AgentProcess, spawnAgentProcess, childEnvironment } from "@turnwire/runtime/process";
import { codexBinary } from "../setting/binary.ts";
import { RpcClient, type RpcRequest } from "../protocol/rpc.ts";
import { Anonymizer } from "./anonymous.ts";

/** What a person answers; undefined leaves the question open. */
export type AnswerTo = (request: RpcRequest) => JsonObject | undefined;

export interface RecordingOptions {
  readonly standin?: OpenaiStandinOptions;
  readonly home?: CodexHomeOptions;
  /** The parameters of `thread/start` beside the directory. */
  readonly thread?: JsonObject;
  readonly onRequest?: AnswerTo;
}

const Started = z.object({ thread: z.object({ id: z.string() }), model: z.string() });
const Threaded = z.object({ params: z.object({ threadId: z.string() }) });

/** What a thread of the real app-server said, with what our own run would have put between. */
export class Recording {
  readonly standin: OpenaiStandin;
  readonly cwd: string;
  readonly #directory: string;
  readonly #process: AgentProcess;
  readonly #rpc: RpcClient;
  readonly #onRequest: AnswerTo;
  readonly #messages: JsonObject[] = [];
  #threadId = "";
  #turns = 0;
  #listeners: (() => void)[] = [];

  private constructor(place: {
    directory: string;
    standin: OpenaiStandin;
    process: AgentProcess;
    onRequest: AnswerTo;
  }) {
    this.standin = place.standin;
    this.#directory = place.directory;
    this.cwd = join(place.directory, "project");
    this.#process = place.process;
    this.#onRequest = place.onRequest;
    this.#rpc = new RpcClient(place.process, {
      onNotification: (notification) => this.#record({ ...notification }),
      onRequest: (request) => this.#asked(request),
    });
  }

  static async start(options: RecordingOptions = {}): Promise<Recording> {
    const directory = await realpath(await mkdtemp(join(tmpdir(), "turnwire-record-")));
    await mkdir(join(directory, "project"));
    const standin = await startOpenaiStandin(options.standin);
    const home = await codexHome(directory, standin, options.home);
    const process = await spawnAgentProcess({
      command: codexBinary(),
      args: ["app-server"],
      cwd: directory,
      env: { ...childEnvironment(["PATH"]), ...home.env },
    });
    const onRequest = options.onRequest ?? (() => undefined);
    const recording = new Recording({ directory, standin, process, onRequest });
    await recording.#open(options.thread ?? {});
    return recording;
  }

  /** Starts a turn. */
  async send(text: string, more: JsonObject = {}): Promise<void> {
    this.#turns += 1;
    this.#inject("turnwire/turn_sent", { turn_id: `turn-${this.#turns}` });
    await this.call("turn/start", { input: [{ type: "text", text }], ...more });
  }

  /** Plays one turn to its end. */
  async turn(text: string, more?: JsonObject): Promise<void> {
    const from = this.length;
    await this.send(text, more);
    await this.until(this.endsTurn, from);
  }

  /** Has Codex review what the instructions name, to the end of that turn. */
  async review(instructions: string): Promise<void> {
    const from = this.length;
    this.#turns += 1;
    this.#inject("turnwire/turn_sent", { turn_id: `turn-${this.#turns}` });
    await this.call("review/start", { target: { type: "custom", instructions } });
    await this.until(this.endsTurn, from);
  }

  /** True of the message that ends a turn of the thread itself. */
  readonly endsTurn = (message: JsonObject): boolean =>
    message["method"] === "turn/completed" &&
    Threaded.safeParse(message).data?.params.threadId === this.#threadId;

  async steer(text: string): Promise<void> {
    const input = [{ type: "text", text }];
    await this.call("turn/steer", { expectedTurnId: this.#nativeTurnId(), input });
  }

  async interrupt(): Promise<void> {
    this.#inject("turnwire/interrupt_sent", {});
    await this.call("turn/interrupt", { turnId: this.#nativeTurnId() });
  }

  /** Calls a method about the thread. */
  call(method: string, params: JsonObject = {}): Promise<unknown> {
    return this.#rpc.call(method, { threadId: this.#threadId, ...params });
  }

  /** The number of messages so far: where `until` may begin to look. */
  get length(): number {
    return this.#messages.length;
  }

  async until(matches: (message: JsonObject) => boolean, from = 0): Promise<JsonObject> {
    for (;;) {
      const found = this.#messages.slice(from).find(matches);
      if (found) return found;
      await new Promise<void>((resolve) => this.#listeners.push(resolve));
    }
  }

  /** Ends the process and gives back the fixture's lines. */
  async finish(): Promise<string[]> {
    await this.#process.stop();
    await this.#rpc.closed;
    await this.standin.close();
    await rm(this.#directory, { recursive: true, force: true, maxRetries: 5 });
    const places = {
      [this.#directory]: "/sandbox",
      // Codex writes the paths of a diff relative to where it finds no repository.
      [basename(this.#directory)]: "sandbox",
      [this.standin.url]: "http://standin",
    };
    const anonymizer = new Anonymizer(places);
    return this.#messages.map((message, index) =>
      JSON.stringify(anonymizer.anonymize(message, index)),
    );
  }

  async #open(thread: JsonObject): Promise<void> {
    const clientInfo = { name: "turnwire", version: "0.1.0" };
    const capabilities = { experimentalApi: true };
    await this.#rpc.call("initialize", { clientInfo, capabilities });
    await this.#rpc.notify("initialized");
    const options = { approvalPolicy: "never", sandbox: "danger-full-access", ...thread };
    const started = Started.parse(
      await this.#rpc.call("thread/start", { cwd: this.cwd, ...options }),
    );
    this.#threadId = started.thread.id;
    this.#messages.length = 0;
    this.#inject("turnwire/thread", { thread_id: this.#threadId, model: started.model });
  }

  #asked(request: RpcRequest): void {
    const correlation_id = randomUUID();
    this.#record({ ...request, correlation_id });
    const answer = this.#onRequest(request);
    if (!answer) return;
    this.#inject("turnwire/answer_sent", { correlation_id });
    // Codex is gone only when the recording is over.
    this.#rpc.respond(request.id, answer).catch(() => undefined);
  }

  #inject(method: string, params: JsonObject): void {
    this.#record({ method, params });
  }

  #record(message: object): void {
    this.#messages.push(JsonObject.parse(message));
    for (const listener of this.#listeners.splice(0)) listener();
  }

  #nativeTurnId(): string {
    const message = this.#messages.findLast(
      (candidate) =>
        candidate["method"] === "turn/started" &&
        Threaded.safeParse(candidate).data?.params.threadId === this.#threadId,
    );
    return TurnStarted.parse(message).params.turn.id;
  }
}

const TurnStarted = z.object({ params: z.object({ turn: z.object({ id: z.string() }) }) });
