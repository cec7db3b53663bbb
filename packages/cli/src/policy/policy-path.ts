import { join } from "node:path";

/** Where a person's own policy is: beside the other files of the server. */
export function policyPath(dataDirectory: string): string {
  return join(dataDirectory, "policy.json");
}
