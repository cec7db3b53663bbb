/** The changes of a released version, in the words of its changesets. */
export interface Release {
  readonly version: string;
  /** As YYYY-MM-DD. */
  readonly date: string;
  readonly summaries: readonly string[];
}

const unreleased = /^## (\S+) \(unreleased\)$/m;

/** The version that the changelog prepares by hand, before it is released. */
export function unreleasedVersion(changelog: string): string | undefined {
  return unreleased.exec(changelog)?.[1];
}

/** The changelog with a date for the version that it prepared. */
export function dateUnreleased(changelog: string, date: string): string {
  return changelog.replace(unreleased, `## $1 (${date})`);
}

/** The changelog with a new release above all others. */
export function addRelease(changelog: string, { version, date, summaries }: Release): string {
  const section = [`## ${version} (${date})`, "", ...summaries.map(listItem), ""].join("\n");
  const newest = changelog.search(/^## /m);
  if (newest === -1) return `${changelog.trimEnd()}\n\n${section}`;
  return `${changelog.slice(0, newest)}${section}\n${changelog.slice(newest)}`;
}

/** Further lines of a summary belong to the same item. */
function listItem(summary: string): string {
  const [first = "", ...more] = summary.trim().split("\n");
  return [`- ${first}`, ...more.map((line) => (line === "" ? "" : `  ${line}`))].join("\n");
}
