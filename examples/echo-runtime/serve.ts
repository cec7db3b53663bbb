import { tmpdir } from "node:os";
import { createMemoryStore, createSessionHost, createTurnwireServer } from "@turnwire/server";
import { createEchoRuntime } from "./echo-runtime.ts";

const token = process.env["TURNWIRE_TOKEN"] ?? crypto.randomUUID().replaceAll("-", "");
const host = createSessionHost({
  store: createMemoryStore(),
  runtimes: [createEchoRuntime()],
  defaultRuntime: "echo",
  roots: [tmpdir()],
});
const server = await createTurnwireServer({ host, auth: { type: "token", token } });
const { url } = await server.listen({ port: Number(process.env["PORT"] ?? 0) });
console.log(`${url} takes the token ${token}`);
process.once("SIGTERM", () => void server.close());
process.once("SIGINT", () => void server.close());
