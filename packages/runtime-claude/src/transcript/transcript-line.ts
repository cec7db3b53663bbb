import type { TranscriptLine } from "@turnwire/log";
import * as z from "zod";

const Entry = z.object({ uuid: z.string() });

/** A line of a transcript with the id that the CLI gave it; some have none. Undefined where it is not whole. */
export function transcriptLine(text: string): TranscriptLine | undefined {
  try {
    return lineFromEntry(JSON.parse(text), text);
  } catch {
    return undefined;
  }
}

export function lineFromEntry(entry: unknown, text = JSON.stringify(entry)): TranscriptLine {
  const { data } = Entry.safeParse(entry);
  return data ? { id: data.uuid, text } : { text };
}
