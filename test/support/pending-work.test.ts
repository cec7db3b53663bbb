import { once } from "node:events";
import { spawn } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { describePoll, describeWork } from "./pending-work.ts";

test("a program and a server that are open are named", async () => {
  const child = spawn(process.execPath, ["-e", "process.stdin.resume()"]);
  onTestFinished(() => void child.kill());
  const server = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // a TCP server has an address with a port
  expect(describeWork([child, server], ["Timeout", "Timeout"])).toEqual([
    expect.stringMatching(new RegExp(`^process ${child.pid}: .*process.stdin.resume`)),
    `server on port ${port}`,
    "in all: 2 Timeout",
  ]);
});

test("a poll that is still tried is described by its place and what it saw last", () => {
  const poll = { site: new Error("poll"), attempts: 3, lastMs: 1000, lastValue: { count: 1 } };
  const [line] = describePoll(poll, 1100);
  expect(line).toMatch(/^expect\.poll at .*attempt 3, last value \{ count: 1 \}$/);
  expect(describePoll(poll, 10_000)).toEqual([]);
});
