import { PassThrough } from "node:stream";
import { setImmediate as nextTick } from "node:timers/promises";
import { draft, noCapabilities, type JsonValue } from "@turnwire/protocol";
import { RuntimeError, type Normalizer, type Runtime } from "@turnwire/runtime";

/** Messages of this agent, in a format of its own: here it is ours to choose. */
type EchoMessage =
  | { type: "word"; id: string; text: string }
  | { type: "end"; id: string; turn: string; stopped: boolean };

/** A `Normalizer` turns them into events. It is pure: all it knows is its state, here the text so far. */
const normalizer: Normalizer<unknown, string> = {
  initial: () => "",
  step(text, message) {
    // Agents change: what is not known is kept as `native`, and nothing breaks.
    if (!isEcho(message)) return [text, [native(message)]];
    const { id: message_id } = message;
    if (message.type === "word") {
      return [text + message.text, [draft("delta", { message_id, text: message.text })]];
    }
    const { turn: turn_id, stopped } = message;
    const content = [{ type: "text" as const, text }];
    const subtype = stopped ? "interrupted" : "success";
    const events = [
      draft("message_complete", { message_id, message: { role: "assistant", content } }),
      draft("result", { turn_id, subtype, is_error: false }),
      draft("done", { turn_id, ...(stopped && { stopped }) }),
    ];
    return ["", events];
  },
  end: () => [],
};

/** An agent that repeats what it is sent, word by word. A session has one run of it at a time. */
export function createEchoRuntime(): Runtime<unknown, string> {
  return {
    name: "echo",
    label: "Echo",
    capabilities: { ...noCapabilities, interrupt: true },
    normalizer,
    check: async () => ({ isAvailable: true }),
    async createRun() {
      const messages = new PassThrough({ objectMode: true });
      let isStopped = false;
      async function speak(words: readonly string[], turn: string): Promise<void> {
        const id = `message-${crypto.randomUUID()}`;
        for (const text of words) {
          if (isStopped || messages.writableEnded) break;
          messages.write({ type: "word", id, text } satisfies EchoMessage);
          await nextTick();
        }
        if (messages.writableEnded) return;
        messages.write({ type: "end", id, turn, stopped: isStopped } satisfies EchoMessage);
      }
      return {
        messages,
        async send({ content, turnId }) {
          if (messages.writableEnded) throw new RuntimeError("exited", "The agent is closed.");
          const said = content.map((block) => (block.type === "text" ? block.text : "")).join(" ");
          isStopped = false;
          // Taken is not done: the turn ends through `messages`.
          speak(said.split(/(?<=\s)/), turnId).catch((error: Error) => messages.destroy(error));
        },
        interrupt: async () => void (isStopped = true),
        answer: async () => undefined,
        close: async () => void messages.end(),
      };
    },
  };
}

function isEcho(message: unknown): message is EchoMessage {
  const type = typeof message === "object" && message && "type" in message && message.type;
  return type === "word" || type === "end";
}

function native(message: unknown) {
  return draft("native", { source: "echo", payload: (message ?? null) as JsonValue });
}
