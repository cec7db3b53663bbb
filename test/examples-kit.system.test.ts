import { demo } from "@turnwire/runtime/demo";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { createMemoryStore, createSessionHost, createTurnwireServer } from "@turnwire/server";
import { kit } from "@turnwire/wire-kit";
import { expect, onTestFinished, test } from "vitest";

const example = fileURLToPath(new URL("../examples/kit-client", import.meta.url));

test("the command of the kit client's README talks to a server, and continues its session", async () => {
  const home = await mkdtemp(join(tmpdir(), "turnwire-kit-"));
  const token = "kit-test-token-0123456789-abcdefghijklmnop";
  await mkdir(join(home, ".turnwire"));
  await writeFile(join(home, ".turnwire", "token"), `${token}\n`);
  const server = await createTurnwireServer({
    host: createSessionHost({
      store: createMemoryStore(),
      runtimes: [demo({ delayMs: 0 })],
      defaultRuntime: "demo",
      roots: [home],
    }),
    auth: { type: "token", token },
    wires: [kit()],
  });
  const { url } = await server.listen();
  onTestFinished(async () => {
    await server.close();
    await rm(home, { recursive: true, force: true });
  });
  const readme = await readFile(join(example, "README.md"), "utf8");
  const [, command = ""] = /```sh\n(.+)\n```/.exec(readme) ?? [];
  expect(command).toContain("ws://127.0.0.1:4747");
  const run = async (line: string): Promise<string> => {
    const shell = spawn(
      "sh",
      ["-c", line.replace("ws://127.0.0.1:4747", url.replace("http", "ws"))],
      {
        cwd: example,
        env: { ...process.env, HOME: home },
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    const [output, [code]] = await Promise.all([text(shell.stdout), once(shell, "exit")]);
    expect(code).toBe(0);
    return output;
  };
  const first = await run(command);
  expect(first).toContain("allowed: Bash");
  const [, id] = /session (\S+): success/.exec(first) ?? [];
  expect(await run(`${command} ${id}`)).toContain(`session ${id}: success`);
});
