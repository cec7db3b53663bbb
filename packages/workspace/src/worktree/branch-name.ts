import { randomBytes } from "node:crypto";

const MAX_WORDS = 40;

/** Names for a new branch, most wanted first: the last is possible also where a branch `turnwire` exists. */
export function branchNames(title: string | undefined): string[] {
  const words = slug(title ?? "") || "session";
  const unique = () => `${words}-${randomBytes(3).toString("hex")}`;
  return [`turnwire/${unique()}`, `turnwire/${unique()}`, `turnwire-${unique()}`];
}

/** The name of a worktree's directory. */
export function directoryName(branch: string): string {
  const words = slug(branch.replace(/^turnwire[/-]/, "")) || "worktree";
  return `${words}-${randomBytes(3).toString("hex")}`;
}

/** Letters, digits and dashes, for names of files and branches. */
export function slug(text: string): string {
  return text
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll("ß", "ss")
    .replace(/\p{M}/gu, "")
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, MAX_WORDS)
    .replace(/^-+|-+$/g, "");
}
