import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { checkPostgres } from "./open-postgres-store.ts";

/** A message of the server: its kind, its length and what it says. */
function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(4 + body.length, 1);
  return Buffer.concat([head, body]);
}

function authentication(step: number, text: string): Buffer {
  const code = Buffer.alloc(4);
  code.writeInt32BE(step);
  return message("R", Buffer.concat([code, Buffer.from(text)]));
}

/** A server that gives its answers in turn, whatever it is asked. */
async function addressOf(answers: readonly Buffer[]): Promise<string> {
  const server = createServer((socket) => {
    const left = [...answers];
    socket.on("error", () => undefined);
    socket.on("data", () => {
      const answer = left.shift();
      if (answer) socket.write(answer);
    });
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  return `ann@127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("a server that demands a password where there is none is not called silent", async () => {
  vi.stubEnv("PGPASSWORD", undefined);
  onTestFinished(() => void vi.unstubAllEnvs());
  const address = await addressOf([
    authentication(10, "SCRAM-SHA-256\0\0"),
    authentication(11, "r=nonce,s=c2FsdA==,i=4096"),
  ]);
  await expect(checkPostgres(`postgres://${address}/turnwire`)).rejects.toMatchObject({
    code: "unavailable",
    message: expect.stringMatching(/^Postgres demands a password: set PGPASSWORD/),
  });
});

test("a server without TLS is not called silent", async () => {
  const address = await addressOf([Buffer.from("N")]);
  const url = `postgres://${address}/turnwire?sslmode=verify-full`;
  await expect(checkPostgres(url)).rejects.toMatchObject({
    message: expect.stringContaining("has no TLS"),
  });
});
