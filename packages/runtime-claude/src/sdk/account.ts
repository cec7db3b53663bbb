import type { AccountInfo } from "@anthropic-ai/claude-agent-sdk";
import type { AgentAccount } from "@turnwire/protocol";

/** The account, as the CLI reports it when it starts; undefined where it does not. */
export function accountFrom({
  account,
}: {
  readonly account?: AccountInfo;
}): AgentAccount | undefined {
  const { email, organization, subscriptionType: plan, apiKeySource, apiProvider } = account ?? {};
  if (apiProvider !== undefined && apiProvider !== "firstParty") return { kind: "cloud" };
  const isKey = apiKeySource !== undefined && apiKeySource !== "none";
  if (!isKey && plan === undefined && email === undefined) return undefined;
  return {
    kind: isKey ? "api_key" : "subscription",
    ...(email !== undefined && { email }),
    ...(organization !== undefined && { organization }),
    ...(plan !== undefined && { plan }),
  };
}
