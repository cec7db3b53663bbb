import { createServer, type Server } from "node:http";
import type { TurnwireServer } from "@turnwire/server";
import express from "express";
import { mountPath } from "./agents.ts";

/** Express shortens the path of what it mounts; upgrades come past it, to the HTTP server. */
export function mountInExpress(agents: TurnwireServer): Server {
  const app = express();
  app.use(express.json());
  app.get("/", (_request, response) => void response.send("the application"));
  app.use(mountPath, (request, response, next) => {
    if (!agents.handle(request, response)) next();
  });
  const server = createServer(app);
  server.on("upgrade", (request, socket, head) => {
    if (!agents.upgrade(request, socket, head)) socket.destroy();
  });
  return server;
}
