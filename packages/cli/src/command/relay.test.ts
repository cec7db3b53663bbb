import { createServer } from "node:http";
import { writeFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "@turnwire/client";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { TestMachine } from "../test-support/cli-run.ts";

interface Report {
  readonly url: string;
  readonly port: number;
  readonly relay_url?: string;
}

describe("turnwire relay", () => {
  let machine: TestMachine;

  beforeEach(async () => {
    machine = await TestMachine.create();
  });

  afterEach(() => machine.remove());

  async function start(args: readonly string[]): Promise<Report> {
    const started = machine.start([...args, "--json", "--log-level", "error"]);
    onTestFinished(async () => {
      started.signal("SIGTERM");
      expect(await started.exited).toBe(0);
    });
    const failed = started.exited.then((code) => {
      throw new Error(`it ended with ${code}: ${started.stderr.text}`);
    });
    failed.catch(() => undefined);
    const [line] = await Promise.race([started.stdout.until(/^\{.*\}$/m), failed]);
    return JSON.parse(line) as Report;
  }

  test("opens a relay and a server for the same sessions", async () => {
    const report = await start(["relay", "--port", "0", "--no-auth"]);
    expect(report.relay_url).toMatch(/^ws:\/\/127\.0\.0\.1:\d+$/);
    const page = await fetch(report.relay_url?.replace("ws:", "http:") ?? "");
    expect(await page.text()).toContain(`${report.relay_url}/ws`);
    const greeting = new URLSearchParams(page.headers.get("turnwire-relay") ?? "");
    expect([greeting.get("auth"), greeting.get("web")]).toEqual(["none", report.url]);
    expect(await createClient({ url: report.url }).health()).toMatchObject({ status: "ok" });
  });

  test("serves on the port of the configuration file or not at all", async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void taken.close());
    const address = taken.address();
    const port = typeof address === "object" && address ? address.port : 0;
    const data = join(machine.home, "data");
    await mkdir(data, { mode: 0o700 });
    await writeFile(join(data, "turnwire.config.json"), JSON.stringify({ port }));
    const refused = await machine.run(["relay", "--port", "0", "--data", data]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(`Port ${port} on 127.0.0.1 is taken`);
    const env = { TURNWIRE_PORT: String(port) };
    const byVariable = await machine.run(["relay", "--port", "0"], { env });
    expect(byVariable.stderr).toContain(`Port ${port} on 127.0.0.1 is taken`);
  });

  test("is refused where a server has the data, with the way to a relay of that one", async () => {
    await start(["serve", "--port", "0"]);
    const refused = await machine.run(["relay", "--port", "0"]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("turnwire serve --relay");
  });

  test("is part of turnwire serve --relay, on a port where front ends look", async () => {
    const { relay_url: url = "" } = await start(["serve", "--port", "0", "--relay"]);
    const port = Number(new URL(url).port);
    expect(port).toBeGreaterThanOrEqual(8765);
    expect(port).toBeLessThanOrEqual(8864);
    const plain = await machine.run(["relay", "--port", "70000"]);
    expect(plain.code).toBe(2);
  });

  test("is on the port that turnwire serve --relay was given", async () => {
    const args = ["serve", "--port", "0", "--relay", "--relay-port", "0"];
    const { relay_url: url = "" } = await start(args);
    expect(Number(new URL(url).port)).toBeGreaterThan(8864);
  });

  test("warns a person that it approves by itself", async () => {
    const started = machine.start(["relay", "--port", "0", "--auto-approve"]);
    await started.stdout.until(/Relay +ws:\/\/127\.0\.0\.1:\d+ .*\n.*--auto-approve/);
    started.signal("SIGINT");
    expect(await started.exited).toBe(0);
  });
});
