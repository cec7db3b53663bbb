import { forEachChild, type SyntaxNode } from "unbash";

interface AssignedNames {
  readonly variables: ReadonlySet<string>;
  readonly changesDirectory: boolean;
  /** Something in it may change anything: `eval`, a function. */
  readonly isEverything: boolean;
}

/** Builtins that set variables by name; others of that kind are never allowed. */
const setsVariables = new Set(
  "read mapfile readarray unset export declare local readonly typeset".split(" "),
);
const changes = new Set(["cd", "pushd", "popd"]);

/** The names that the nodes may change for commands that run after or again; wide rather than exact. */
export function assignedNames(nodes: readonly SyntaxNode[]): AssignedNames {
  const variables = new Set<string>();
  const found = { changesDirectory: false, isEverything: false };
  const visit = (node: SyntaxNode): void => {
    // Changes in a subshell stay there.
    if (/^(?:Subshell|CommandExpansion|ProcessSubstitution)$/.test(node.type)) return;
    if (node.type === "Assignment") variables.add(node.name);
    if (node.type === "For") variables.add(node.name.text);
    if (node.type === "Function") found.isEverything = true;
    if (node.type === "Command" && node.name) {
      const name = node.name.value;
      if (changes.has(name)) found.changesDirectory = true;
      else if (setsVariables.has(name)) {
        for (const word of node.args) {
          if (word.type !== "Word") continue;
          if (/[$`{]/.test(word.text)) found.isEverything = true;
          for (const variable of namesIn(word.value)) variables.add(variable);
        }
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

/** `x`, `x=1`, and the end of options such as `-rax`, which reads into the array `x`. */
function namesIn(argument: string): readonly string[] {
  const [name = ""] = argument.split(/\+?=/);
  if (!name.startsWith("-")) return [name];
  return Array.from(name, (_, index) => name.slice(index));
}
