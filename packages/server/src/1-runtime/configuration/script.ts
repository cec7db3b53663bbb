/** Names that agents give the project's directory in the commands they run. */
const projectDirectory = /^(?:\$\{?CLAUDE_PROJECT_DIR\}?|\$\(pwd\)|\$\{?PWD\}?)\//;

/** The words of a shell command that may be scripts of the project, as paths relative to it. */
export function scriptsIn(command: string): string[] {
  const words = command
    .split(/[\s"'`;|&<>(),=]+/)
    .map((word) => word.replace(projectDirectory, ""))
    .filter((word) => word !== "" && !word.startsWith("-") && !word.startsWith("/"));
  return [...new Set(words)].slice(0, 100);
}
