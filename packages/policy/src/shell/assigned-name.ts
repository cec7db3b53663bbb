import { forEachChild, type SyntaxNode } from "unbash";

interface AssignedNames {
  readonly variables: ReadonlySet<string>;
  readonly changesDirectory: boolean;
  /** Something in it may change anything: `eval`, a function. */
  readonly isEverything: boolean;
}

const setsVariables = new Set([
  "read",
  "mapfile",
  "readarray",
  "printf",
  "getopts",
  "let",
  "unset",
]);
const declares = new Set(["export", "declare", "local", "readonly", "typeset"]);
const changes = new Set(["cd", "pushd", "popd"]);

/** What the nodes may change for commands that run after or again; wide rather than exact. */
export function assignedNames(nodes: readonly SyntaxNode[]): AssignedNames {
  const variables = new Set<string>();
  const found = { changesDirectory: false, isEverything: false };
  const visit = (node: SyntaxNode): void => {
    // What happens in a subshell stays there.
    if (/^(?:Subshell|CommandExpansion|ProcessSubstitution)$/.test(node.type)) return;
    if (node.type === "Assignment") variables.add(node.name);
    if (node.type === "For") variables.add(node.name.text);
    if (node.type === "Function") found.isEverything = true;
    if (node.type === "Command" && node.name) {
      const name = node.name.value;
      if (changes.has(name)) found.changesDirectory = true;
      else if (setsVariables.has(name) || declares.has(name)) {
        for (const word of node.args) if (word.type === "Word") variables.add(word.value);
      } else if (
        !/^[\w./-]+$/.test(name) ||
        /^(?:eval|source|\.|builtin|command|exec|trap)$/.test(name)
      ) {
        found.isEverything = true;
      }
    }
    forEachChild(node, visit);
  };
  for (const node of nodes) visit(node);
  return { variables, ...found };
}
