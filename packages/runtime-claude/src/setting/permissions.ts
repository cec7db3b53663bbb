import type { PermissionResult, PermissionUpdate } from "@anthropic-ai/claude-agent-sdk";
import { type Answers, type CommandOf, JsonObject, type ModeInfo } from "@turnwire/protocol";
import * as z from "zod";
import { type RequestAnswer, RuntimeError } from "@turnwire/runtime";
import { isGrant } from "./grant.ts";

export const permissionModes = [
  "default",
  "acceptEdits",
  "plan",
  "dontAsk",
  "bypassPermissions",
] as const;
export type ClaudePermissionMode = (typeof permissionModes)[number];

/** Modes that never prompt. */
export const adminModes = ["bypassPermissions"] as const;

export const modeInfo: Record<ClaudePermissionMode, ModeInfo> = {
  default: {
    label: "Ask before changes",
    description: "Reads freely; asks before it edits a file or runs a command.",
    risk: "asks",
  },
  acceptEdits: {
    label: "Accept edits",
    description: "Edits files in the project without asking; asks before it runs other commands.",
    risk: "asks",
  },
  plan: {
    label: "Plan only",
    description: "Reads and makes a plan; changes nothing until you approve it.",
    risk: "none",
  },
  dontAsk: {
    label: "Deny what is not allowed",
    description: "Does what is already allowed and refuses everything else without asking.",
    risk: "asks",
  },
  bypassPermissions: {
    label: "Full access",
    description: "Edits files and runs commands without asking.",
    risk: "full",
  },
};

const Mode = z.enum(permissionModes);

export function modeFromName(name: string): ClaudePermissionMode {
  const mode = Mode.safeParse(name);
  if (mode.success) return mode.data;
  throw new RuntimeError("invalid_input", `Claude has no permission mode ${JSON.stringify(name)}.`);
}

/** Why the CLI would refuse `bypassPermissions` here; undefined when it would not. */
export function bypassProblem(
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const isSandbox = env["IS_SANDBOX"] === "1" || env["CLAUDE_CODE_BUBBLEWRAP"] === "1";
  if (process.getuid?.() !== 0 || isSandbox) return undefined;
  return "the Claude CLI refuses it as root; run as another user, or set IS_SANDBOX=1 in a sandbox";
}

const Rules = z.object({
  type: z.enum(["addRules", "replaceRules", "removeRules"]),
  rules: z.array(z.object({ toolName: z.string(), ruleContent: z.string().optional() })),
  behavior: z.enum(["allow", "deny", "ask"]),
  /** The others write into files of the person or the project, which agents here do not read. */
  destination: z.literal("session"),
});
const Directories = z.object({
  type: z.enum(["addDirectories", "removeDirectories"]),
  directories: z.array(z.string()),
  destination: Rules.shape.destination,
});
/** Only the modes that still ask: an answer must not be a way round the check for admins. */
const ModeChange = z.object({
  type: z.literal("setMode"),
  mode: Mode.exclude([...adminModes]),
  destination: Rules.shape.destination,
});
const Update = z.discriminatedUnion("type", [Rules, Directories, ModeChange]);

function updateFrom(source: JsonObject): PermissionUpdate {
  const update = Update.safeParse(source);
  if (!update.success) {
    throw new RuntimeError(
      "invalid_input",
      `This permission update is not allowed: ${JSON.stringify(source)}. ${z.prettifyError(update.error)}`,
    );
  }
  const { data } = update;
  if (!("rules" in data)) return data;
  const rules = data.rules.map(({ toolName, ruleContent }) => ({
    toolName,
    ...(ruleContent !== undefined && { ruleContent }),
  }));
  return { ...data, rules };
}

/** What the CLI proposes to allow from now on, with effect on this session and on nothing else. */
export function suggestionForSession(suggestion: JsonObject): JsonObject {
  return "destination" in suggestion ? { ...suggestion, destination: "session" } : suggestion;
}

/** Throws a RuntimeError where the CLI could do nothing with the answer. */
export function checkAnswer(answer: RequestAnswer): void {
  if (answer.type === "permission_response") answer.updated_permissions?.forEach(updateFrom);
}

/** What the SDK receives when a person answered a tool's request. */
export function verdictFromAnswer(input: JsonObject, answer: RequestAnswer): PermissionResult {
  switch (answer.type) {
    case "permission_response":
      return verdictFromPermission(input, answer);
    case "question_response":
      return { behavior: "allow", updatedInput: answeredInput(input, answer) };
    case "tool_call_response":
    case "hook_response":
    case "interrupt_response":
      throw new RuntimeError("protocol", `Expected a permission_response, got a ${answer.type}.`);
  }
}

function verdictFromPermission(
  input: JsonObject,
  answer: CommandOf<"permission_response">,
): PermissionResult {
  const { behavior, updated_input, updated_permissions = [], message, interrupt } = answer;
  if (behavior === "deny") {
    return {
      behavior,
      message: message || "The user does not want to do this.",
      ...(interrupt && { interrupt }),
    };
  }
  const updated = JsonObject.safeParse(updated_input);
  // Grants are set apart, where they can be taken back.
  const updates = updated_permissions.map(updateFrom).filter((update) => !isGrant(update));
  return {
    behavior,
    updatedInput: updated.success ? updated.data : input,
    ...(updates.length > 0 && { updatedPermissions: updates }),
  };
}

/** AskUserQuestion is answered by its own input with the answers in it, keyed by the full question. */
function answeredInput(
  input: JsonObject,
  { answers, notes = {} }: { answers: Answers; notes?: Record<string, string> | undefined },
): JsonObject {
  const texts = Object.entries(answers).map(([question, answer]) => [
    question,
    Array.isArray(answer) ? answer.join(", ") : answer,
  ]);
  const annotations = Object.entries(notes).map(([question, text]) => [question, { notes: text }]);
  return {
    ...input,
    answers: Object.fromEntries(texts),
    ...(annotations.length > 0 && { annotations: Object.fromEntries(annotations) }),
  };
}
