import { demo } from "@turnwire/runtime/demo";
import { tmpdir } from "node:os";
import { draft, type ToolBlock } from "@turnwire/protocol";
import { createMemoryStore, createSessionHost, createTurnwireServer } from "@turnwire/server";
import { expect, onTestFinished, test } from "vitest";
import { wholeLog } from "../../log/src/test-support/whole-log.ts";
import { createClient } from "./client.ts";

const token = "a-token-for-attachments-0123456789-0123456789";
const text = Array.from({ length: 50_000 }, (_, line) => `Zeile ${line} äöü`).join("\n");
const image = Buffer.from(Array.from({ length: 300_001 }, (_, index) => index % 256));

async function followedSession() {
  const runtimes = [demo({ delayMs: 0 })];
  const store = createMemoryStore();
  const host = createSessionHost({
    store,
    runtimes,
    defaultRuntime: "demo",
    roots: [tmpdir()],
  });
  const server = await createTurnwireServer({ host, auth: { type: "token", token } });
  onTestFinished(() => server.close());
  const { url } = await server.listen();
  const client = createClient({ url, token });
  const { session_id: id } = await client.sessions.create();
  const opened = await host.open(id, { id: "local", isAdmin: true });
  if (!opened.ok) throw new Error(opened.error.message);
  const data = image.toString("base64");
  await wholeLog(opened.value.log).append([
    draft("turn_started", { turn_id: "t" }),
    draft("tool_start", { message_id: "m", tool_use_id: "u", tool: "Read", input: { text } }),
    draft("tool_result", {
      tool_use_id: "u",
      is_error: false,
      output: [{ type: "image", mimeType: "image/png", data }],
    }),
  ]).committed;
  const session = client.openSession(id);
  onTestFinished(() => session.close());
  const toolIn = (view: ReturnType<typeof session.getState>): ToolBlock | undefined => {
    const message = view.session.messages.find(({ role }) => role === "agent");
    const block = message?.role === "agent" ? message.blocks[0] : undefined;
    return block?.type === "tool" && block.status === "done" ? block : undefined;
  };
  const view = await session.waitFor((next) => toolIn(next) !== undefined);
  const tool = toolIn(view);
  if (!tool) throw new Error("no tool");
  return { session, tool, data };
}

test("what is stored beside the log can be loaded by its digest, and put back into its block", async () => {
  const { session, tool, data } = await followedSession();
  const [, picture] = tool.attachments ?? [];
  expect(picture).toMatchObject({ path: "/output/0/data", media_type: "image/png", size: 300_001 });
  expect(image.equals(await session.attachment(picture?.digest ?? ""))).toBe(true);
  const whole = await session.restore(tool);
  expect(whole).not.toHaveProperty("attachments");
  expect(JSON.stringify(whole.input) === JSON.stringify({ text })).toBe(true);
  expect(JSON.stringify(whole.output)).toBe(
    JSON.stringify([{ type: "image", mimeType: "image/png", data }]),
  );
});

test("a digest that the session does not have is refused as the server says", async () => {
  const { session } = await followedSession();
  await expect(session.attachment(`sha256-${"0".repeat(64)}`)).rejects.toMatchObject({
    code: "wire",
    error: { code: "not_found" },
  });
});

test("loading is given up with its signal", async () => {
  const { session, tool } = await followedSession();
  const abort = new AbortController();
  const loading = session.restore(tool, { signal: abort.signal });
  abort.abort();
  await expect(loading).rejects.toMatchObject({ code: "aborted" });
});
