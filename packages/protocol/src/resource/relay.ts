import * as z from "zod";

/** A relay that answers on a port of the server's machine. */
export const RelayInfo = z.object({
  port: z.int().min(1).max(65_535).describe("The port of the loopback address that it has."),
  program: z
    .enum(["turnwire", "agents-ui", "loop"])
    .describe("Which program it is, as far as its greeting shows."),
  needs_token: z.boolean().describe("Whether front ends have to send a token."),
  is_own: z.boolean().describe("Whether it carries the sessions of this server."),
  web_url: z.string().optional().describe("Where the web app with its sessions is."),
});
export type RelayInfo = z.infer<typeof RelayInfo>;

export const RelayList = z.object({
  ports: z
    .array(z.int())
    .describe(
      "Where relays are looked for; empty where none are, and for those on other machines.",
    ),
  relays: z.array(RelayInfo).describe("By port."),
});
export type RelayList = z.infer<typeof RelayList>;
