import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createClient } from "@turnwire/client";
import { expect, onTestFinished, test } from "vitest";
import { builtProgram } from "../../test/support/built-program.ts";

test("a server of one's own runs a runtime of one's own", async () => {
  const program = await builtProgram(join(import.meta.dirname, "serve.ts"));
  const server = spawn(process.execPath, [program], {
    cwd: import.meta.dirname,
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void server.kill("SIGKILL"));
  const [line]: string[] = await once(createInterface({ input: server.stdout }), "line");
  const [, url = "", token = ""] = /^(\S+) takes the token (\S+)$/.exec(line ?? "") ?? [];
  const client = createClient({ url, token });
  const { session_id } = await client.sessions.create();
  const session = client.openSession(session_id);
  await session.send("three words back");
  const { session: state } = await session.waitFor(({ session: { turn, messages } }) => {
    return turn === null && messages.length === 2;
  });
  expect(state.messages[1]).toMatchObject({
    role: "agent",
    blocks: [{ type: "text", text: "three words back" }],
  });
  session.close();
  server.kill("SIGTERM");
  expect(await once(server, "exit")).toEqual([0, null]);
});
