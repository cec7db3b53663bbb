import { createServer, type Server } from "node:http";
import type { TurnwireServer } from "@turnwire/server";

/** Both answer whether a request is theirs: everything else stays with the application. */
export function mountInNodeHttp(agents: TurnwireServer): Server {
  const server = createServer((request, response) => {
    if (!agents.handle(request, response)) response.end("the application");
  });
  server.on("upgrade", (request, socket, head) => {
    if (!agents.upgrade(request, socket, head)) socket.destroy();
  });
  return server;
}
