/** A server to be killed: SQLite in the directory given, one line of JSON when it listens. */
import { openProcessRegistry } from "@turnwire/runtime/process";
import { demo } from "@turnwire/runtime/demo";
import { join } from "node:path";
import { createSessionHost, createTurnwireServer, openSqliteStore } from "@turnwire/server";
import type { CrashServerOptions } from "./crashing-server.ts";
import { createProcessRuntime } from "./process-runtime.ts";

const [directory = "", token = "", options = "{}"] = process.argv.slice(2);
const { port = 0, ...doors }: CrashServerOptions = JSON.parse(options);

const store = await openSqliteStore({ path: join(directory, "turnwire.db") });
const registry = await openProcessRegistry({ dataDirectory: directory });
await registry.reapLeftovers();
const host = createSessionHost({
  store,
  runtimes: [demo({ delayMs: 0 }), createProcessRuntime(registry)],
  defaultRuntime: "demo",
  roots: [directory],
});
const server = await createTurnwireServer({ host, auth: { type: "token", token }, ...doors });
console.log(JSON.stringify(await server.listen({ port })));
process.once("SIGTERM", () => {
  void server.close().then(() => store.close());
});
