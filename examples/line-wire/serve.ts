import { demo } from "@turnwire/runtime/demo";
import { createTurnwireServer, openSqliteStore } from "@turnwire/server";
import { lineWire } from "./lines.ts";

const store = await openSqliteStore({ path: "./sessions.db" });
const roots = [process.cwd()];
const wires = [lineWire()];
const server = await createTurnwireServer({ store, runtimes: [demo()], roots, wires });
const { url } = await server.listen({ port: Number(process.env["PORT"] ?? 4747) });
console.log(`${url} takes the token ${server.token}`);
