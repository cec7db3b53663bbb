import { demo } from "@turnwire/runtime/demo";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { createMemoryStore, createSessionHost, createTurnwireServer } from "@turnwire/server";

// One process for the page and its agents: the login link logs the browser in, so the page needs no token.
const server = await createTurnwireServer({
  host: createSessionHost({
    store: createMemoryStore(),
    runtimes: [demo()],
    defaultRuntime: "demo",
    roots: [tmpdir()],
  }),
  auth: { type: "token", token: crypto.randomUUID() + crypto.randomUUID() },
  webRoot: fileURLToPath(new URL("dist", import.meta.url)),
});
await server.listen({ port: Number(process.env["PORT"] ?? 4749) });
console.log(`Open ${await server.loginUrl()}`);
await Promise.race([once(process, "SIGTERM"), once(process, "SIGINT")]);
await server.close();
