import { demo } from "@turnwire/runtime/demo";
import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { createClient } from "@turnwire/client";
import { createMemoryStore, createTurnwireServer, createSessionHost } from "@turnwire/server";
import { expect, onTestFinished, test } from "vitest";
import { builtProgram } from "./support/built-program.ts";

const token = "example-test-token-0123456789-abcdefghijklmno";
const script = fileURLToPath(new URL("../examples/node-script/ask.js", import.meta.url));

async function startServer(): Promise<string> {
  const host = createSessionHost({
    store: createMemoryStore(),
    runtimes: [demo({ delayMs: 0 })],
    defaultRuntime: "demo",
    roots: [tmpdir()],
  });
  const server = await createTurnwireServer({ host, auth: { type: "token", token } });
  onTestFinished(() => server.close());
  return (await server.listen()).url;
}

/** Runs the script as a person would, with what that person types. */
async function ask(url: string, question: string, typed: string) {
  const child = spawn(process.execPath, [await builtProgram(script), question], {
    env: { ...process.env, TURNWIRE_URL: url, TURNWIRE_TOKEN: token },
  });
  let printed = "";
  let asked = "";
  child.stdout.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => {
    asked += chunk.toString();
    if (asked.includes("(y/n)")) child.stdin.end(typed);
  });
  const code = await new Promise((resolve) => {
    child.once("close", resolve);
  });
  return { code, printed, asked };
}

test("the Node script prints the agent's answer, and asks before the agent acts", async () => {
  const url = await startServer();
  const { code, printed, asked } = await ask(url, "/permission", "y\n");
  expect({ code, asked }).toMatchObject({ code: 0, asked: expect.stringContaining("May it use") });
  const { sessions } = createClient({ url, token });
  const [info] = (await sessions.list()).sessions;
  expect(info).toMatchObject({ title: "/permission", activity: "idle" });
  const { state } = await sessions.snapshot(info?.session_id ?? "");
  const said = state.messages.flatMap((message) =>
    message.role === "agent" ? message.blocks : [],
  );
  const texts = said.flatMap((block) => (block.type === "text" ? [block.text] : []));
  expect(texts.length).toBeGreaterThan(0);
  for (const text of texts) expect(printed).toContain(text);
  expect(said).toContainEqual(
    expect.objectContaining({
      type: "permission",
      resolution: expect.objectContaining({ allowed: true }),
    }),
  );
});

test("the Node script has hardly more than twenty lines", async () => {
  const lines = (await readFile(script, "utf8")).split("\n").filter((line) => line.trim() !== "");
  expect(lines.length).toBeLessThanOrEqual(22);
});
