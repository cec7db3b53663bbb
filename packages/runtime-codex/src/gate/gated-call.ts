import type { EventData, JsonValue } from "@turnwire/protocol";
import * as z from "zod";
import { shellWord } from "@turnwire/runtime/process";
import type { GatedCall } from "@turnwire/runtime";
import type { FileChange } from "../protocol/item.ts";
import { patchTool, shellTool } from "../normalize/tool-use.ts";

export interface CommandUse {
  /** The whole command line as Codex reports it, with the shell that runs it: `/bin/bash -lc 'ls'`. */
  readonly command: string | readonly string[];
  /** Where it runs; the model may choose another directory than the session's. */
  readonly cwd?: string | null | undefined;
}

/**
 * A command. The shell stays in front of its script: the model may name another program as its shell,
 * and shells do not all read a script alike.
 */
export function callFromCommand({ command, cwd }: CommandUse, sessionCwd: string): GatedCall {
  const text = typeof command === "string" ? command : command.map(shellWord).join(" ");
  const isElsewhere = typeof cwd === "string" && cwd !== sessionCwd;
  const input = { command: isElsewhere ? `cd ${shellWord(cwd)} && ${text}` : text };
  return { tool: "Bash", input };
}

/** A patch: one call for each file that it writes. A patch of which nothing is known writes an unknown file. */
export function callsFromChanges(changes: readonly FileChange[]): GatedCall[] {
  if (changes.length === 0) return [{ tool: "Write", input: {} }];
  return changes.flatMap(({ path, kind }) => [
    { tool: kind.type === "update" ? "Edit" : "Write", input: { file_path: path } },
    ...(typeof kind.move_path === "string" ? [callFromWrite(kind.move_path)] : []),
  ]);
}

export function callFromWrite(path: string): GatedCall {
  return { tool: "Write", input: { file_path: path } };
}

/** A connection to a host: policies know it as what a command does. */
export function callFromHost(host: string): GatedCall {
  return { tool: "Bash", input: { command: `curl ${shellWord(`https://${host}/`)}` } };
}

const ShellInput = z.object({ command: z.string(), cwd: z.string().optional() });
const PatchInput = z.object({
  changes: z.array(
    z.object({ path: z.string(), kind: z.string(), move_path: z.string().optional() }),
  ),
});

/** What a permission request would do, as its event has it: judged again when a person allows it. */
export function callsFromPermission(
  { tool_name: tool }: Pick<EventData<"permission_request">, "tool_name">,
  input: JsonValue,
): GatedCall[] {
  if (tool === shellTool) {
    const { cwd, ...shell } = ShellInput.safeParse(input).data ?? {};
    return [{ tool: "Bash", input: shell, ...(cwd !== undefined && { cwd }) }];
  }
  if (tool === patchTool) {
    const changes = PatchInput.safeParse(input).data?.changes ?? [];
    return callsFromChanges(
      changes.map(({ path, kind, move_path }) => ({
        path,
        diff: "",
        kind: { type: kind, move_path },
      })),
    );
  }
  return [{ tool, input }];
}
