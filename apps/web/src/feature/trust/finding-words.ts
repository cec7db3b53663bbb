import type { TrustFinding } from "@turnwire/protocol";

type Kind = TrustFinding["kind"];

const nouns: Readonly<Record<Kind, readonly [one: string, many: string]>> = {
  instructions: ["instruction file", "instruction files"],
  settings: ["settings file", "settings files"],
  hook: ["hook", "hooks"],
  mcp_server: ["MCP server", "MCP servers"],
  agent: ["agent", "agents"],
  skill: ["skill", "skills"],
  command: ["command", "commands"],
  rule: ["rule", "rules"],
  policy: ["policy mode", "policy modes"],
};

const order: readonly Kind[] = [
  "instructions",
  "settings",
  "hook",
  "mcp_server",
  "agent",
  "skill",
  "command",
  "rule",
  "policy",
];

/** How many files of instructions are named before they are counted. */
const NAMED_FILES = 2;

/** What was found, in one phrase: `CLAUDE.md, 2 hooks and 1 MCP server`. */
export function findingWords(findings: readonly Pick<TrustFinding, "kind" | "path">[]): string {
  const parts = order.flatMap((kind) => {
    const files = findings.filter((finding) => finding.kind === kind);
    if (files.length === 0) return [];
    if (kind === "instructions" && files.length <= NAMED_FILES) {
      return files.map(({ path }) => path);
    }
    const [one, many] = nouns[kind];
    return [`${files.length} ${files.length === 1 ? one : many}`];
  });
  const last = parts.at(-1) ?? "nothing";
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(", ")} and ${last}`;
}

/** The name of a kind, as a label. */
export function kindLabel(kind: Kind): string {
  const [one] = nouns[kind];
  return one.charAt(0).toUpperCase() + one.slice(1);
}

/** What concerns an agent. */
export function findingsFor<Finding extends Pick<TrustFinding, "runtimes">>(
  findings: readonly Finding[],
  runtime: string | undefined,
): readonly Finding[] {
  if (runtime === undefined) return findings;
  return findings.filter(({ runtimes }) => runtimes.includes(runtime));
}
