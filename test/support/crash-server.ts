/** A server to be killed: SQLite in the directory given, the demo runtime, one line of JSON when it listens. */
import { join } from "node:path";
import {
  createDemoRuntime,
  createSessionHost,
  createTurnwireServer,
  openSqliteStore,
} from "@turnwire/server";

const [directory = "", token = ""] = process.argv.slice(2);

const store = await openSqliteStore({ path: join(directory, "turnwire.db") });
const host = createSessionHost({
  store,
  runtimes: [createDemoRuntime({ delayMs: 0 })],
  defaultRuntime: "demo",
  roots: [directory],
});
const server = await createTurnwireServer({ host, auth: { type: "token", token } });
console.log(JSON.stringify(await server.listen({ port: 0 })));
