import { spawn, type ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";

/** How to start the client that is checked. */
export interface ClientCommand {
  readonly command: string;
  readonly args?: readonly string[];
}

/** Requests to a client, one JSON line each on its standard input. */
export type ClientCall =
  | { readonly do: "create"; readonly session_id: string }
  | {
      readonly do: "send";
      readonly session_id: string;
      readonly text: string;
      readonly client_message_id: string;
    }
  | {
      readonly do: "follow";
      readonly session_id: string;
      readonly after: number;
      /** Up to and with the event of this type that is the `count`th since `after`. */
      readonly until: { readonly type: string; readonly count: number };
    }
  | {
      readonly do: "respond";
      readonly session_id: string;
      readonly correlation_id: string;
      readonly behavior: "allow" | "deny";
    };

const ANSWER_MS = 60_000;

/** A client in another process, asked and answering in JSON lines. */
export class ClientProgram {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;
  #errors = "";

  constructor({ command, args = [] }: ClientCommand, place: { url: string; token: string }) {
    this.#child = spawn(command, args, {
      stdio: ["pipe", "pipe", "pipe"],
      env: { ...process.env, TURNWIRE_URL: place.url, TURNWIRE_TOKEN: place.token },
    });
    const { stdout, stderr, stdin } = this.#child;
    if (!stdout || !stderr || !stdin) throw new Error("the client has no standard streams");
    stderr.setEncoding("utf8");
    stderr.on("data", (text: string) => {
      this.#errors = (this.#errors + text).slice(-4000);
    });
    stdin.on("error", () => undefined);
    this.#child.on("error", (error) => {
      this.#errors += error.message;
      stdout.destroy();
    });
    this.#lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  }

  /** Asks, and answers with the next line. */
  async ask(call: ClientCall): Promise<unknown> {
    this.#child.stdin?.write(`${JSON.stringify(call)}\n`);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(this.#problem("did not answer", call))), ANSWER_MS);
    });
    try {
      const line = await Promise.race([this.#lines.next(), late]);
      if (line.done === true) throw new Error(this.#problem("ended before it answered", call));
      return JSON.parse(line.value);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Ends it; resolves when it is gone. */
  async close(): Promise<void> {
    const child = this.#child;
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await gone;
  }

  #problem(what: string, call: ClientCall): string {
    return `the client ${what}: ${JSON.stringify(call)}\n${this.#errors}`;
  }
}
