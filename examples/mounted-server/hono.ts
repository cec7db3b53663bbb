import type { Server } from "node:http";
import { createAdaptorServer, type HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { TurnwireServer } from "@turnwire/server";
import { Hono } from "hono";
import { mountPath } from "./agents.ts";

/** Hono on Node passes on the request and response that it was made from. */
export function mountInHono(agents: TurnwireServer): Server {
  const app = new Hono<{ Bindings: HttpBindings }>();
  app.get("/", (context) => context.text("the application"));
  app.all(`${mountPath}/*`, ({ env }) => {
    agents.handle(env.incoming, env.outgoing);
    return RESPONSE_ALREADY_SENT;
  });
  const server = createAdaptorServer({ fetch: app.fetch }) as Server;
  server.on("upgrade", (request, socket, head) => {
    if (!agents.upgrade(request, socket, head)) socket.destroy();
  });
  return server;
}
