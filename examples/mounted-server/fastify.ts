import type { Server } from "node:http";
import type { TurnwireServer } from "@turnwire/server";
import fastify from "fastify";

/** The hook runs before Fastify reads bodies; its routes answer everything else. */
export async function mountInFastify(agents: TurnwireServer): Promise<Server> {
  const app = fastify();
  app.addHook("onRequest", async (request, reply) => {
    if (agents.handle(request.raw, reply.raw)) reply.hijack();
  });
  app.get("/", async () => "the application");
  app.server.on("upgrade", (request, socket, head) => {
    if (!agents.upgrade(request, socket, head)) socket.destroy();
  });
  await app.ready();
  return app.server;
}
