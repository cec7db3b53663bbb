import { isObject } from "@turnwire/base";
import type { EventData, JsonValue } from "@turnwire/protocol";
import type { DiffFile } from "../block/diff-file.ts";
import { changedFiles } from "../block/tool-change.ts";

/** What a permission is about, in the form in which a person can judge it. */
export type PermissionSubject =
  | { readonly type: "command"; readonly command: string; readonly place?: string }
  | { readonly type: "change"; readonly files: readonly DiffFile[] }
  | { readonly type: "plan"; readonly plan: string }
  | { readonly type: "input"; readonly input: JsonValue };

type Asked = Pick<EventData<"permission_request">, "tool_name" | "tool_input" | "context" | "diff">;

/** An input is shown as a command only if it has no unknown members: nothing is allowed unseen. */
export function permissionSubject(asked: Asked): PermissionSubject {
  const { tool_name, tool_input, context, diff } = asked;
  const plan = context?.["plan"];
  if (typeof plan === "string") return { type: "plan", plan };
  const command = commandFrom(tool_input);
  if (command) return command;
  const files = changedFiles({ tool: tool_name, input: tool_input, ...(diff && { diff }) });
  if (files && !hasUnshown(tool_input, diff !== undefined)) return { type: "change", files };
  return { type: "input", input: tool_input };
}

/** The question in the header of the card. */
export function permissionTitle(subject: PermissionSubject, toolName: string): string {
  switch (subject.type) {
    case "command":
      return "Run this command?";
    case "change": {
      const [first] = subject.files;
      return subject.files.length === 1 && first
        ? `${first.change === "added" ? "Write" : "Change"} ${first.path}?`
        : `Change ${subject.files.length} files?`;
    }
    case "plan":
      return "Approve this plan?";
    case "input":
      return `Use ${toolName}?`;
  }
}

/** The subject in one line, for a request that has ended. */
export function subjectLine(subject: PermissionSubject, toolName: string): string {
  switch (subject.type) {
    case "command":
      return subject.command;
    case "change":
      return subject.files.map(({ path }) => path).join(", ");
    case "plan":
      return "";
    case "input":
      return toolName;
  }
}

/** Why it is asked, if the agent gave a reason. */
export function permissionReason({ context }: Asked): string | undefined {
  const found = ["reason", "decision_reason", "description"].map((name) => context?.[name]);
  return found.find((text): text is string => typeof text === "string" && text !== "");
}

const commandKeys = new Set(["command", "cwd", "description", "timeout"]);

function commandFrom(input: JsonValue): PermissionSubject | undefined {
  if (!isObject(input) || typeof input["command"] !== "string") return undefined;
  if (Object.keys(input).some((key) => !commandKeys.has(key))) return undefined;
  const { command, cwd } = input;
  return { type: "command", command, ...(typeof cwd === "string" && { place: cwd }) };
}

const changeKeys = new Set([
  "file_path",
  "old_string",
  "new_string",
  "edits",
  "content",
  "changes",
]);

/** "replace_all" changes more places than a diff of the two texts shows; a diff of the file shows them all. */
function hasUnshown(input: JsonValue, hasDiff: boolean): boolean {
  if (!isObject(input)) return true;
  const isShown = (key: string) => changeKeys.has(key) || (hasDiff && key === "replace_all");
  return Object.entries(input).some(([key, value]) => !isShown(key) && value !== false);
}
