import { demo } from "@turnwire/runtime/demo";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { createMemoryStore, createSessionHost, createTurnwireServer } from "@turnwire/server";
import { describe, expect, onTestFinished, test } from "vitest";

const examples = fileURLToPath(new URL("../examples", import.meta.url));

describe("the shell script", () => {
  test("creates a session, follows it and prints it until the turn is done", async () => {
    const root = await mkdtemp(join(tmpdir(), "turnwire-curl-"));
    const token = "curl-test-token-0123456789-abcdefghijklmnop";
    const server = await createTurnwireServer({
      host: createSessionHost({
        store: createMemoryStore(),
        runtimes: [demo({ delayMs: 0 })],
        defaultRuntime: "demo",
        roots: [root],
      }),
      auth: { type: "token", token },
    });
    const { url } = await server.listen();
    onTestFinished(async () => {
      await server.close();
      await rm(root, { recursive: true, force: true });
    });
    const run = (key: string) => {
      const script = spawn(join(examples, "curl", "talk.sh"), ["/plan"], {
        env: { ...process.env, TURNWIRE_URL: url, TURNWIRE_TOKEN: key },
        stdio: ["ignore", "pipe", "pipe"],
      });
      const output = Promise.all([text(script.stdout), text(script.stderr), once(script, "exit")]);
      return output.then(([out, err, [code]]) => ({ out, err, code }));
    };
    const { out, err, code } = await run(token);
    expect(err).toContain('"accepted":true');
    expect(out.split("\n").filter((line) => line.startsWith("event: "))).toEqual(
      expect.arrayContaining(["event: session_ready", "event: plan", "event: done"]),
    );
    expect(code).toBe(0);
    expect(await run("wrong")).toMatchObject({ code: 22 });
  });
});
