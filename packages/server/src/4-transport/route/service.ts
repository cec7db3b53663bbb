import { RuntimeInfo, SessionInfo, wireError } from "@turnwire/protocol";
import * as z from "zod";
import type { SessionHost } from "../../2-session/session-host.ts";
import { json, refused } from "../answer.ts";
import type { Metrics } from "../metrics.ts";
import type { Route } from "../route.ts";

export interface ServiceRouteOptions {
  readonly host: SessionHost;
  readonly metrics: Metrics;
  readonly version: string;
  readonly isDraining: () => boolean;
  /** Built from the whole table, so only known when it is complete. */
  readonly openApi: () => unknown;
}

const Health = z.object({ status: z.literal("ok"), version: z.string() });
const Runtimes = z.object({ runtimes: z.array(RuntimeInfo) });
const History = z.object({ sessions: z.array(SessionInfo) });

/** What the server tells of itself. */
export function serviceRoutes(options: ServiceRouteOptions): Route[] {
  const { host, metrics, version } = options;
  return [
    {
      method: "GET",
      path: "/runtimes",
      summary: "List the kinds of agents",
      access: "principal",
      answers: { 200: { description: "The runtimes", schema: Runtimes } },
      handle: async () => json(200, { runtimes: await host.runtimes() }),
    },
    {
      method: "GET",
      path: "/history",
      summary: "List sessions that agents on this machine made by themselves",
      access: "principal",
      answers: { 200: { description: "None are read yet", schema: History } },
      handle: () => json(200, { sessions: [] }),
    },
    {
      method: "GET",
      path: "/health",
      summary: "Tell whether the server takes requests",
      access: "open",
      answers: { 200: { description: "It does", schema: Health } },
      handle: () =>
        options.isDraining()
          ? refused(wireError("shutting_down", "The server is stopping."))
          : json(200, { status: "ok", version }),
    },
    {
      method: "GET",
      path: "/metrics",
      summary: "Show counters for Prometheus; for admins",
      access: "principal",
      answers: { 200: { description: "Prometheus text", contentType: "text/plain" } },
      async handle(call) {
        if (!call.principal.isAdmin) return refused(wireError("forbidden", "Only for admins."));
        const headers = { "content-type": metrics.contentType };
        return { status: 200, headers, body: await metrics.text() };
      },
    },
    {
      method: "GET",
      path: "/openapi.json",
      summary: "Describe these routes",
      access: "principal",
      answers: { 200: { description: "OpenAPI 3.1", schema: z.looseObject({}) } },
      handle: () => json(200, options.openApi()),
    },
  ];
}
