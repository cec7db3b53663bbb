import { RuntimeError } from "@turnwire/runtime";
import type { AgentQuery } from "./agent.ts";

/** Restores the files to what they were before a message; answers with those that had changed. */
export async function rewindFiles(
  query: Pick<AgentQuery, "rewindFiles">,
  uuid: string,
): Promise<string[]> {
  const preview = await query.rewindFiles(uuid, { dryRun: true });
  if (!preview.canRewind) {
    const why = preview.error ?? "no checkpoint";
    throw new RuntimeError("protocol", `The files cannot be restored: ${why}`);
  }
  await query.rewindFiles(uuid);
  return preview.filesChanged ?? [];
}
