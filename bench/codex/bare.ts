import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { TurnTime } from "../codex.ts";

/** Turnwire's settings, in addition to those of the home. */
const settings = ["-c", "features.default_mode_request_user_input=true"];

interface BareOptions {
  readonly binary: string;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** As much of a message as is looked at. */
interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly result?: { readonly thread?: { readonly id: string } };
}

/** An app-server with one thread, driven by as little as will do. */
export class BareCodex {
  readonly #child: ChildProcessWithoutNullStreams;
  #threadId = "";
  #nextId = 1;
  #onMessage: (message: Message) => void = () => undefined;

  private constructor(child: ChildProcessWithoutNullStreams) {
    this.#child = child;
    child.stderr.resume();
    createInterface({ input: child.stdout }).on("line", (line) =>
      this.#onMessage(JSON.parse(line)),
    );
  }

  static async start({ binary, env, cwd }: BareOptions): Promise<BareCodex> {
    const child = spawn(binary, ["app-server", ...settings], {
      // With the rest of ours, as an agent of Turnwire has it: where `SSL_CERT_FILE` and
      // `SSL_CERT_DIR` are set, Codex 0.166 reads all certificates in each turn, for 4 to 6 ms.
      env: { ...process.env, ...env },
    });
    const bare = new BareCodex(child);
    const clientInfo = { name: "bench", title: null, version: "0.0.1" };
    await bare.#call("initialize", { clientInfo, capabilities: { experimentalApi: true } });
    // As Turnwire starts a thread: Codex itself takes longer for some of it.
    const policy = { approvalPolicy: "untrusted", sandbox: "workspace-write" };
    const started = await bare.#call("thread/start", { cwd, ...policy });
    bare.#threadId = started.result?.thread?.id ?? "";
    return bare;
  }

  async turn(text: string): Promise<TurnTime> {
    const start = performance.now();
    let firstMs = Number.NaN;
    const ended = new Promise<number>((resolve) => {
      this.#onMessage = ({ method }) => {
        if (method === "item/agentMessage/delta" && Number.isNaN(firstMs))
          firstMs = performance.now() - start;
        if (method === "turn/completed") resolve(performance.now() - start);
      };
    });
    const input = [{ type: "text", text, text_elements: [] }];
    this.#write("turn/start", { threadId: this.#threadId, input });
    const endMs = await ended;
    return { firstMs, endMs };
  }

  async stop(): Promise<void> {
    const exited = once(this.#child, "exit");
    this.#child.kill();
    await exited;
  }

  #call(method: string, params: object): Promise<Message> {
    const id = this.#write(method, params);
    return new Promise((resolve) => {
      this.#onMessage = (message) => {
        if (message.method === undefined && message.id === id) resolve(message);
      };
    });
  }

  #write(method: string, params: object): number {
    const id = this.#nextId;
    this.#nextId += 1;
    this.#child.stdin.write(`${JSON.stringify({ id, method, params })}\n`);
    return id;
  }
}
