import type { DirectoryList } from "@turnwire/protocol";

/** What a person sees in the picker: the folders of one directory, and which of them. */
export interface Browsed {
  /** Undefined: where the picker begins. */
  readonly path: string | undefined;
  readonly filter: string;
}

/** True if the text is a path rather than a part of a name. */
export function isPath(text: string): boolean {
  return text.startsWith("/") || text === "~" || text.startsWith("~/");
}

/** A typed path opens the directory that it is in; anything else filters the current one. */
export function browsed(query: string, current: string | undefined): Browsed {
  const text = query.trim();
  if (!isPath(text)) return { path: current, filter: text };
  if (text === "~") return { path: "~", filter: "" };
  const cut = text.lastIndexOf("/");
  return { path: cut === 0 ? "/" : text.slice(0, cut), filter: text.slice(cut + 1) };
}

type Entry = DirectoryList["entries"][number];

/** The entries that fit, those that begin with the filter first. Hidden ones are shown when wanted, or when a dot is typed. */
export function shownEntries(
  entries: readonly Entry[],
  { filter, isHiddenShown }: { readonly filter: string; readonly isHiddenShown: boolean },
): readonly Entry[] {
  const wanted = filter.toLowerCase();
  const isDotted = wanted.startsWith(".");
  const fitting = entries.filter(
    ({ name, is_hidden }) =>
      (isHiddenShown || isDotted || !is_hidden) && name.toLowerCase().includes(wanted),
  );
  const begins = ({ name }: Entry): boolean => name.toLowerCase().startsWith(wanted);
  return [...fitting.filter(begins), ...fitting.filter((entry) => !begins(entry))];
}
