import { randomBytes } from "node:crypto";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createAgents, mountPath } from "./agents.ts";
import { mountInExpress } from "./express.ts";
import { mountInFastify } from "./fastify.ts";
import { mountInHono } from "./hono.ts";
import { mountInNodeHttp } from "./node-http.ts";

const applications = {
  express: mountInExpress,
  fastify: mountInFastify,
  hono: mountInHono,
  "node-http": mountInNodeHttp,
};

const [name = "express"] = process.argv.slice(2);
const mount = Object.entries(applications).find(([known]) => known === name)?.[1];
if (!mount) throw new Error(`${name} is none of ${Object.keys(applications).join(", ")}`);

const token = process.env["TURNWIRE_TOKEN"] ?? randomBytes(32).toString("base64url");
const agents = await createAgents(token);
const server = await mount(agents);
server.listen(Number(process.env["PORT"] ?? 0), "127.0.0.1");
await once(server, "listening");
const { port } = server.address() as AddressInfo;
console.log(`http://127.0.0.1:${port}${mountPath} takes the token ${token}`);

process.once("SIGTERM", () => {
  void agents.close().then(() => server.close());
  server.closeIdleConnections();
});
