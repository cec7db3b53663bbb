import type { AgentAccount } from "@turnwire/protocol";
import * as z from "zod";
import type { RpcClient } from "../protocol/rpc.ts";

const text = z.string().nullish();

const AccountResponse = z.object({
  account: z
    .looseObject({ type: z.string(), email: text, planType: text, workspaceName: text })
    .nullish(),
});

/** Undefined where it is not known: for a log-in of ChatGPT, 0.169 has to reach its service to say. */
export function readAccount(rpc: RpcClient): Promise<AgentAccount | undefined> {
  return rpc.call("account/read", {}).then(accountFrom, () => undefined);
}

/** The account that is logged in; undefined where Codex uses a provider of the settings, or has no log-in. */
export function accountFrom(response: unknown): AgentAccount | undefined {
  const account = AccountResponse.safeParse(response).data?.account;
  switch (account?.type) {
    case "apiKey":
      return { kind: "api_key" };
    case "chatgpt": {
      const { email, planType: plan, workspaceName: organization } = account;
      return {
        kind: "subscription",
        ...(email && { email }),
        ...(organization && { organization }),
        ...(plan && plan !== "unknown" && { plan }),
      };
    }
    case "amazonBedrock":
    case "gcp":
      return { kind: "cloud" };
    default:
      return undefined;
  }
}
