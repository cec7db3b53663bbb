import { demo } from "@turnwire/runtime/demo";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { createMemoryStore, createSessionHost, createTurnwireServer } from "@turnwire/server";

// `EventSource` cannot send a token, so this server asks for none: it then listens on loopback only.
const server = await createTurnwireServer({
  host: createSessionHost({
    store: createMemoryStore(),
    runtimes: [demo()],
    defaultRuntime: "demo",
    roots: [tmpdir()],
  }),
  auth: { type: "off" },
  webRoot: fileURLToPath(new URL("page", import.meta.url)),
});
const { url } = await server.listen({ port: Number(process.env["PORT"] ?? 4748) });
console.log(`The page is at ${url}`);
await Promise.race([once(process, "SIGTERM"), once(process, "SIGINT")]);
await server.close();
