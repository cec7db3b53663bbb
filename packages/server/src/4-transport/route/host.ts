import { HostList } from "@turnwire/protocol";
import type { SessionHost } from "../../3-host/session-host.ts";
import { json, type Route } from "@turnwire/wire";

/** The servers that share a store. */
export function hostRoute(host: SessionHost): Route {
  return {
    method: "GET",
    path: "/hosts",
    summary: "List the servers that share this one's store",
    access: "admin",
    answers: { 200: { description: "This one first, then those that live", schema: HostList } },
    handle: async () => json(200, { hosts: await host.hosts() }),
  };
}
