import type { TitlePorts } from "../transcript/title.ts";

/** Titles of transcripts are the SDK's business. */
export const noTitles: TitlePorts = {
  rename: () => Promise.resolve(),
  read: () => Promise.resolve(undefined),
  onTitle: () => undefined,
};
