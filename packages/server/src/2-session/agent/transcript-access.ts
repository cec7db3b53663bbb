import type { Lease, Store } from "@turnwire/log";
import type { TranscriptPort } from "@turnwire/runtime";

/** What the agent of a leased session may do with transcripts; undefined where the store keeps none. */
export function transcriptPort(
  { transcripts }: Pick<Store, "transcripts">,
  { record, generation }: Lease,
): TranscriptPort | undefined {
  if (!transcripts) return undefined;
  const lease = { sessionId: record.sessionId, generation };
  return {
    append: (key, lines) => transcripts.appendTranscript(key, lease, lines),
    load: (key) => transcripts.loadTranscript(key),
    listParts: (conversation) => transcripts.listTranscriptParts(conversation),
  };
}
