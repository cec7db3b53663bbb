import type { AgentDefinition } from "@anthropic-ai/claude-agent-sdk";
import { missingAgents, type RunOptions } from "@turnwire/runtime";

const writingTools = ["Write", "Edit", "NotebookEdit"];

/**
 * The default agents as the SDK takes them. Only where no file defines one: the CLI prefers those of
 * its options to all others (seen with 2.1.325).
 */
export function defaultAgentsFor({ project }: RunOptions): Record<string, AgentDefinition> {
  const agents = missingAgents(project?.agents).map(
    ({ name, description, instructions, isReadOnly }) => [
      name,
      {
        description,
        prompt: instructions,
        ...(isReadOnly && { disallowedTools: [...writingTools] }),
      },
    ],
  );
  return Object.fromEntries(agents);
}
