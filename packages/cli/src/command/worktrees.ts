import type { TurnwireClient } from "@turnwire/client";
import type { WorktreeInfo, WorktreeKeepReason, WorktreeRemoval } from "@turnwire/protocol";
import { CliError, exitCode } from "../error/cli-error.ts";
import { defineCommand, type Invocation } from "../program/command.ts";
import { dataDirectoryFrom } from "../configuration/configuration.ts";
import { connect } from "../connection/server-address.ts";
import { didYouMean } from "../error/suggestion.ts";
import { type Format, formatFor } from "../terminal/format.ts";
import { safeLine } from "../terminal/safe-text.ts";
import { tableLines } from "../terminal/table.ts";

type WorktreesInvocation = Invocation<"worktrees">;

const actions = ["list", "remove", "prune"] as const;
type Action = (typeof actions)[number];

function actionFrom(given = "list"): Action {
  const action = actions.find((candidate) => candidate === given);
  if (action) return action;
  throw new CliError("usage", `turnwire worktrees cannot "${given}".${didYouMean(given, actions)}`);
}

const reasonTexts: Readonly<Record<WorktreeKeepReason, string>> = {
  uncommitted: "uncommitted changes",
  untracked: "new files",
  unmerged: "unmerged commits",
  detached: "commits on no branch",
  in_progress: "a merge or rebase in progress",
  submodules: "submodules",
  locked: "locked",
  in_use: "in use",
  unknown: "git cannot read it",
  requested: "kept on request",
};

function statusText({ status, step, session_ids: ids }: WorktreeInfo): string {
  if (status === "creating") return `being created (${step ?? "checkout"})`;
  return status === "kept" ? "kept, no session" : `session ${ids[0]?.slice(0, 8) ?? ""}`;
}

function contentText({ contents }: WorktreeInfo): string {
  if (!contents) return "";
  const reasons = contents.keep_reasons.map((reason) => reasonTexts[reason]);
  return reasons.length === 0 ? "nothing to lose" : reasons.join(", ");
}

function tableOf(worktrees: readonly WorktreeInfo[], format: Format): string[] {
  if (worktrees.length === 0) {
    return ["There are no worktrees. Start a session in one: turnwire chat --worktree"];
  }
  return tableLines(
    {
      header: ["ID", "BRANCH", "STATE", "HOLDS", "PATH"],
      rows: worktrees.map((worktree) => [
        format.colors.cyan(worktree.id.slice(0, 8)),
        safeLine(worktree.branch),
        statusText(worktree),
        contentText(worktree),
        format.colors.dim(safeLine(worktree.path)),
      ]),
    },
    format,
  );
}

/** By its path, its branch, or the beginning of its id. */
async function find(client: TurnwireClient, given: string | undefined): Promise<WorktreeInfo> {
  if (given === undefined) {
    throw new CliError(
      "usage",
      "Which worktree? turnwire worktrees remove ID, or its branch or path",
    );
  }
  const { worktrees } = await client.worktrees.list();
  const named = worktrees.filter(({ path, branch }) => path === given || branch === given);
  const begun = worktrees.filter(({ id }) => given.length >= 4 && id.startsWith(given));
  const [found, ...more] = named.length > 0 ? named : begun;
  if (found && more.length === 0) return found;
  const problem = found ? `"${given}" fits several worktrees` : `There is no worktree "${given}"`;
  throw new CliError("usage", `${problem}: see turnwire worktrees.`);
}

async function perform(
  client: TurnwireClient,
  invocation: WorktreesInvocation,
): Promise<readonly WorktreeInfo[] | readonly WorktreeRemoval[]> {
  const [given, name] = invocation.positionals;
  const action = actionFrom(given);
  const { discard } = invocation.values;
  if (action !== "remove" && discard) {
    throw new CliError("usage", "--discard is for one worktree: turnwire worktrees remove ID");
  }
  switch (action) {
    case "list":
      return (await client.worktrees.list()).worktrees;
    case "remove":
      return [await client.worktrees.remove((await find(client, name)).id, { discard })];
    case "prune": {
      const { worktrees } = await client.worktrees.list();
      const removals: WorktreeRemoval[] = [];
      for (const { id, status } of worktrees) {
        if (status === "kept") removals.push(await client.worktrees.remove(id));
      }
      return removals;
    }
  }
}

function linesOf(
  found: readonly WorktreeInfo[] | readonly WorktreeRemoval[],
  invocation: WorktreesInvocation,
): readonly string[] {
  if (invocation.values.json) return found.map((one) => JSON.stringify(one));
  const removals = found.filter((one) => "is_removed" in one);
  if (removals.length > 0) return removals.map(({ message }) => safeLine(message));
  if (actionFrom(invocation.positionals[0]) === "prune") return ["There was nothing to remove."];
  const worktrees = found.filter((one) => "status" in one);
  return tableOf(worktrees, formatFor(invocation.stdout, invocation.env));
}

export const worktrees = defineCommand({
  name: "worktrees",
  summary: "List and remove the git worktrees that were made for sessions",
  usage: [
    "worktrees [list] [--json]",
    "worktrees remove ID|BRANCH|PATH [--discard]",
    "worktrees prune",
  ],
  details:
    "A session that is created with --worktree works on a branch and in a directory of its own. When it is deleted, both are removed as far as nothing is lost; what is kept is listed here. remove and prune follow the same rule: uncommitted changes, new files and commits that are on no other branch stay, and files that git ignores do not count. prune removes all that have no session. With --json each is one JSON object on a line of its own. The exit code is 1 where remove kept the directory.",
  maxPositionals: 2,
  examples: [
    { command: "turnwire worktrees", meaning: "All of them, and what they hold" },
    { command: "turnwire worktrees prune", meaning: "Remove those that nothing is lost with" },
    {
      command: "turnwire worktrees remove turnwire/fix-login-3f2a91 --discard",
      meaning: "Remove one with all work in it",
    },
  ],
  async run(invocation) {
    const { values, env, stdout, positionals } = invocation;
    // Before a server is looked for.
    const action = actionFrom(positionals[0]);
    const dataDirectory = dataDirectoryFrom(values.data, invocation);
    const client = await connect({ url: values.url, dataDirectory, env });
    const found = await perform(client, invocation);
    for (const line of linesOf(found, invocation)) stdout.write(`${line}\n`);
    const isKept = found.some((one) => "is_removed" in one && !one.is_removed);
    return action === "remove" && isKept ? exitCode.failure : exitCode.ok;
  },
});
