import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { textOf } from "@turnwire/protocol";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { writeAddress } from "../connection/server-address.ts";
import type { StartedCli } from "../test-support/cli-run.ts";
import { RunMachine } from "../test-support/run-machine.ts";

let machine: RunMachine;

beforeEach(async () => {
  machine = await RunMachine.create();
});

afterEach(() => machine.remove());

describe("without a server", () => {
  const env = { TURNWIRE_STORE: "sqlite", TURNWIRE_RUNTIME: "worker" };

  beforeEach(async () => {
    await machine.stopServer();
  });

  test("the run has one of its own, and its sessions stay", async () => {
    const ran = await machine.run(["run", "Mend it", "--review", "reviewer"], { env });
    expect(ran).toEqual({ code: 0, stdout: "It is mended.\n", stderr: "" });
    const more = ["run", "More", "--continue", "--runtime", "worker"];
    expect((await machine.run(more, { env })).code).toBe(0);
    expect(machine.worker.prompts.at(-1)).toBe("More");
  });

  /** Two runs at work, of which the first has brought the server. */
  async function startTwo(): Promise<{ first: StartedCli; second: StartedCli }> {
    machine.says.work = () => undefined;
    const first = machine.start(["run", "First"], { env });
    await expect.poll(() => machine.worker.prompts).toEqual(["First"]);
    const second = machine.start(["run", "Second"], { env });
    await expect.poll(() => machine.worker.prompts).toEqual(["First", "Second"]);
    return { first, second };
  }

  async function stopSession(prompt: string): Promise<void> {
    const client = await machine.client();
    for (const { session_id: id } of await machine.sessions()) {
      const { state } = await client.sessions.snapshot(id);
      const isRight = state.messages.some((message) => textOf(message) === prompt);
      if (isRight) await client.sessions.stop(id);
    }
  }

  test("a run keeps its server until the others that use it are done", async () => {
    const { first, second } = await startTwo();
    await stopSession("First");
    await first.stderr.until(/stopped/);
    await stopSession("Second");
    expect(await second.exited).toBe(3);
    expect(await first.exited).toBe(3);
    expect(second.stderr.text).toMatch(/^The turn was stopped\. Session [\w-]+\.\n$/);
  });

  test("a signal ends the wait for others", async () => {
    const { first, second } = await startTwo();
    await stopSession("First");
    await first.stderr.until(/stopped/);
    first.signal("SIGINT");
    expect(await first.exited).toBe(130);
    second.signal("SIGINT");
    // Its turn may have been stopped with the server.
    expect([3, 130]).toContain(await second.exited);
  });

  test("a run whose server goes away before it has begun brings its own", async () => {
    const leaving = createServer((request, response) => {
      if (request.url === "/health") response.end('{"status":"ok","version":"1"}');
      else {
        request.socket.destroy();
        leaving.close();
      }
    });
    leaving.listen(0, "127.0.0.1");
    await once(leaving, "listening");
    const { port } = leaving.address() as AddressInfo;
    await writeAddress(machine.dataDirectory, {
      url: `http://127.0.0.1:${port}`,
      pid: process.pid,
    });
    const ran = await machine.run(["run", "Mend it"], { env });
    expect(ran).toEqual({ code: 0, stdout: "It is mended.\n", stderr: "" });
    expect(leaving.listening).toBe(false);
  });
});
