import * as z from "zod";
import { ImportSession, PastSession, RuntimeInfo, validate, wireError } from "@turnwire/protocol";
import type { SessionHost } from "../../3-host/session-host.ts";
import { json, refused, type Route } from "@turnwire/wire";
import type { Metrics } from "../http/metrics.ts";
import { infoShape } from "./response-shape.ts";

export interface ServiceRouteOptions {
  readonly host: SessionHost;
  readonly metrics: Metrics;
  readonly version: string;
  readonly isDraining: () => boolean;
  /** Built from the whole table, so only known when it is complete. */
  readonly openApi: () => unknown;
}

const Health = z.object({ status: z.literal("ok"), version: z.string() });
const RuntimesQuery = z.object({
  refresh: z
    .enum(["true", "false"])
    .default("false")
    .describe("`true` also asks the agents again for their models, in the background; for admins."),
});
const Runtimes = z.object({ runtimes: z.array(RuntimeInfo) });
const History = z.object({ sessions: z.array(PastSession) });

/** What the server reports about itself. */
export function serviceRoutes(options: ServiceRouteOptions): Route[] {
  const { host, metrics, version } = options;
  return [
    {
      method: "GET",
      path: "/runtimes",
      summary: "List the kinds of agents, and how each is connected",
      access: "read",
      isNarrowed: true,
      query: RuntimesQuery,
      answers: { 200: { description: "The runtimes", schema: Runtimes } },
      async handle(call) {
        const query = validate(RuntimesQuery, Object.fromEntries(call.query));
        if (!query.ok) return refused(query.error);
        if (query.value.refresh === "true" && call.principal.isAdmin) host.probeRuntimes();
        return json(200, { runtimes: await host.runtimes() });
      },
    },
    {
      method: "GET",
      path: "/history",
      summary:
        "List conversations that agents' own programs made on this machine and that are not sessions here; empty for others than admins",
      access: "read",
      answers: { 200: { description: "Past sessions, newest first", schema: History } },
      handle: async (call) => json(200, { sessions: await host.past.list(call.principal) }),
    },
    {
      method: "POST",
      path: `/history/{provider_session_id}/import`,
      summary: "Import a past conversation as a session; 200 with the session that it is already",
      access: "admin",
      body: ImportSession,
      answers: { 201: infoShape },
      async handle(call) {
        const input = await call.readJson();
        if (!input.ok) return refused(input.error);
        const body = validate(ImportSession, input.value);
        if (!body.ok) return refused(body.error);
        const provider_session_id = call.params["provider_session_id"] ?? "";
        const id = { ...body.value, provider_session_id };
        const imported = await host.past.import(id, call.principal);
        if (!imported.ok) return refused(imported.error);
        return json(imported.value.isNew ? 201 : 200, imported.value.info);
      },
    },
    {
      method: "GET",
      path: "/health",
      summary: "Report whether the server accepts requests and can write to its store",
      access: "open",
      answers: { 200: { description: "It does", schema: Health } },
      async handle() {
        if (options.isDraining()) {
          return refused(wireError("shutting_down", "The server is stopping."));
        }
        const { isWritable, reason = "unknown" } = await host.storeHealth();
        if (isWritable) return json(200, { status: "ok", version });
        const message = `The store cannot write: ${reason}.`;
        return refused(wireError("store_unavailable", message, { version }));
      },
    },
    {
      method: "GET",
      path: "/metrics",
      summary: "Show counters for Prometheus",
      access: "admin",
      answers: { 200: { description: "Prometheus text", contentType: "text/plain" } },
      async handle() {
        const headers = { "content-type": metrics.contentType };
        return { status: 200, headers, body: await metrics.text() };
      },
    },
    {
      method: "GET",
      path: "/openapi.json",
      summary: "Describe these routes",
      access: "read",
      isNarrowed: true,
      answers: { 200: { description: "OpenAPI 3.1", schema: z.looseObject({}) } },
      handle: () => json(200, options.openApi()),
    },
  ];
}
