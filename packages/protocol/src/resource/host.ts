import * as z from "zod";

/** A server process among those that share a store. */
export const HostInfo = z.object({
  host_id: z.string().describe("The host's id: a new one with each start of its process."),
  name: z.string().describe("Its name, for people."),
  storage: z
    .string()
    .describe(
      "The storage that it sees: hosts with the same storage run each other's sessions in the same directories.",
    ),
  version: z.string().describe("The version of the server."),
  url: z.string().optional().describe("Where people reach it, when it knows."),
  started_at: z.iso.datetime().describe("When it started."),
  seen_at: z.iso.datetime().describe("When the store last heard from it."),
  is_alive: z
    .boolean()
    .describe("Whether it holds its sessions; when false, others take them over."),
  is_draining: z.boolean().describe("Whether it takes no new work and is about to leave."),
  is_current: z.boolean().describe("Whether it answered this request."),
  sessions: z.int().describe("How many sessions it holds."),
  live_runs: z.int().describe("How many agents run on it."),
});
export type HostInfo = z.infer<typeof HostInfo>;

export const HostList = z.object({ hosts: z.array(HostInfo) });
export type HostList = z.infer<typeof HostList>;
