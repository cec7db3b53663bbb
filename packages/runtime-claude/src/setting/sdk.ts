import type * as sdk from "@anthropic-ai/claude-agent-sdk";
import { detach } from "@turnwire/base";
import { RuntimeError } from "@turnwire/runtime";

/** The Agent SDK as this runtime uses it: loaded when it is needed, because that takes a second. */
export type ClaudeSdk = Pick<
  typeof sdk,
  | "query"
  | "prewarm"
  | "forkSession"
  | "listSessions"
  | "getSessionMessages"
  | "getSessionInfo"
  | "createSdkMcpServer"
  | "renameSession"
>;

let loading: Promise<ClaudeSdk> | undefined;

/** Loads the SDK once. Rejects with a RuntimeError that says how to install it. */
export function loadSdk(): Promise<ClaudeSdk> {
  if (!loading) {
    loading = importSdk();
    // A person may install it while the server runs.
    detach(loading, () => (loading = undefined));
  }
  return loading;
}

async function importSdk(): Promise<ClaudeSdk> {
  try {
    return await import("@anthropic-ai/claude-agent-sdk");
  } catch (cause) {
    throw new RuntimeError(
      "not_available",
      "The Claude Agent SDK is not installed. Run: npm install @anthropic-ai/claude-agent-sdk",
      { cause },
    );
  }
}
