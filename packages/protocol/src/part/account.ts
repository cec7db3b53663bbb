import * as z from "zod";

/** The account that an agent works with at its provider. */
export const AgentAccount = z
  .object({
    kind: z
      .enum(["subscription", "api_key", "cloud"])
      .describe("`cloud`: by way of a cloud provider, with a log-in of its own."),
    email: z.string().optional().describe("Who is logged in, where that is a person."),
    organization: z.string().optional().describe("The organization or workspace."),
    plan: z.string().optional().describe("What was subscribed to, in the provider's words."),
  })
  .meta({ id: "AgentAccount" });
export type AgentAccount = z.infer<typeof AgentAccount>;

/** An account in words for people. */
export function accountText({ kind, email, organization, plan }: AgentAccount): string {
  const kinds = {
    subscription: plan === undefined ? "subscription" : `${plan} plan`,
    api_key: "API key",
    cloud: "cloud provider",
  };
  return [kinds[kind], email, organization].filter((part) => part !== undefined).join(" · ");
}
