import type {
  JsonObject,
  JsonValue,
  PermissionBlock,
  Question,
  RequestBlock,
} from "@turnwire/protocol";
import { type Format, indented } from "../terminal/format.ts";
import { safeLine, safeText } from "../terminal/safe-text.ts";
import { wrap } from "../terminal/wrap.ts";
import { type Choice, choicesIn } from "./choice.ts";
import { componentLines } from "./component-view.ts";
import { diffLines } from "./diff-view.ts";
import { isJsonObject, textFromJson } from "./json-text.ts";
import { changeLines } from "./tool-view.ts";

function heading(words: string, format: Format): string {
  return `${format.colors.yellow("?")} ${format.colors.bold(words)}`;
}

/** Everything that is about to happen, nothing shortened: a person decides by it. */
function inputLines(input: JsonValue, format: Format, diff?: string): string[] {
  const change = diff === undefined ? changeLines(input, format) : diffLines(diff, format);
  const shown = isJsonObject(input) ? input : { input };
  const hidden = new Set(change.length > 0 ? ["old_string", "new_string"] : []);
  const fields = Object.entries(shown).filter(([name]) => !hidden.has(name));
  return [...fields.flatMap(([name, value]) => fieldLines(name, value, format)), ...change];
}

function fieldLines(name: string, value: JsonValue, format: Format): string[] {
  const records = recordsIn(value);
  if (records.length > 0) {
    const inner = indented(format, 2);
    const lines = records.flatMap((record) =>
      Object.entries(record).flatMap(([key, part]) => fieldLines(key, part, inner)),
    );
    return [format.colors.dim(`${safeLine(name)}:`), ...lines.map((line) => `  ${line}`)];
  }
  const label = format.colors.dim(`${safeLine(name)}: `);
  return safeText(textFromJson(value))
    .split("\n")
    .flatMap((line, index) =>
      wrap(line, format.width, { first: index === 0 ? label : "  ", rest: "  " }),
    );
}

/** A list of objects, such as the changes to several files; anything else has none. */
function recordsIn(value: JsonValue): JsonObject[] {
  if (!Array.isArray(value)) return [];
  const records = value.filter(isJsonObject);
  return records.length === value.length ? records : [];
}

function planText(plan: string, format: Format): string[] {
  if (plan === "") return [format.colors.dim("The agent gave no plan text.")];
  return safeText(plan.trimEnd())
    .split("\n")
    .flatMap((line) => wrap(line, format.width));
}

function contextLines({ request }: PermissionBlock, format: Format): string[] {
  const { context } = request;
  const reason = context?.["reason"] ?? context?.["description"] ?? context?.["decision_reason"];
  return typeof reason === "string" ? wrap(format.colors.dim(safeLine(reason)), format.width) : [];
}

/** Why the policy asks. */
function policyLines({ request }: PermissionBlock, format: Format): string[] {
  if (!request.policy) return [];
  const { reason, rule, mode, containment } = request.policy;
  const way = containment === "none" ? "; once allowed it runs outside containment" : "";
  const text = safeLine(`the policy asks: ${reason} (rule ${rule}, mode ${mode})${way}`);
  return wrap(format.colors.dim(text), format.width);
}

function choiceLines(choices: readonly Choice[], format: Format): string[] {
  return choices.map(
    ({ label }, index) => `${format.colors.cyan(`${index + 1}`)} ${safeLine(label)}`,
  );
}

function questionLines(question: Question, format: Format): string[] {
  const { colors } = format;
  const several = question.multi_select ? colors.dim(" (several)") : "";
  const options = question.options.flatMap(({ label, description, preview }, index) => {
    const more = description === undefined ? "" : colors.dim(`  ${safeLine(description)}`);
    const picture = preview === undefined ? [] : safeText(preview).split("\n");
    return [
      ...wrap(`${safeLine(label)}${more}`, format.width, {
        first: `  ${colors.cyan(`${index + 1}`)} `,
        rest: "    ",
      }),
      ...picture.filter((line) => !line.startsWith("```")).map((line) => colors.dim(`    ${line}`)),
    ];
  });
  return [...wrap(safeLine(question.question) + several, format.width), ...options];
}

/** The request as it was asked. */
export function askedLines(block: RequestBlock, format: Format): string[] {
  const inner = indented(format, 2);
  const under = (lines: readonly string[]) => lines.map((line) => `  ${line}`);
  switch (block.type) {
    case "permission": {
      const { tool_name, tool_input, diff, context } = block.request;
      const plan = context?.["plan"];
      if (typeof plan === "string") {
        return [heading("Approve this plan?", format), ...under(planText(plan, inner))];
      }
      return [
        heading(`Allow ${safeLine(tool_name)}?`, format),
        ...under(inputLines(tool_input, inner, diff)),
        ...under(contextLines(block, inner)),
        ...under(policyLines(block, inner)),
      ];
    }
    case "question": {
      const { questions } = block.request;
      const words = questions.length === 1 ? "A question" : `${questions.length} questions`;
      return [
        heading(words, format),
        ...questions.flatMap((question) => under(questionLines(question, inner))),
      ];
    }
    case "hook":
      return [
        heading(`Hook ${safeLine(block.request.hook_event)}`, format),
        ...under(inputLines(block.request.hook_input, inner)),
      ];
    case "interrupt": {
      const { component_name: name, props } = block.request;
      return [
        heading("Your turn", format),
        ...under(componentLines({ name, props }, inner)),
        ...under(choiceLines(choicesIn(props), inner)),
      ];
    }
    case "tool_call": {
      const { tool_name, input } = block.request;
      const choices = isJsonObject(input) ? choicesIn(input) : [];
      return [
        heading(`The agent calls ${safeLine(tool_name)}: answer for it`, format),
        ...under(inputLines(input, inner)),
        ...under(choiceLines(choices, inner)),
      ];
    }
    case "budget": {
      const { reached, allowed, used } = block.request;
      return [
        heading(`The budget is reached: ${reached.join(", ")}. Raise it or stop?`, format),
        ...under(inputLines({ allowed: allowed as JsonObject, used }, inner)),
      ];
    }
  }
}

function answerText(block: RequestBlock): string {
  switch (block.type) {
    case "permission": {
      const message = block.resolution?.message;
      const isChanged = block.resolution?.updated_input !== undefined;
      const always = block.resolution?.updated_permissions?.length ? " always" : "";
      const allowed = `allowed${always}${isChanged ? ", with changes" : ""}`;
      const verdict = block.resolution?.allowed ? allowed : "denied";
      return `${block.request.tool_name} ${verdict}${message ? `: ${message}` : ""}`;
    }
    case "question":
      return Object.values(block.resolution?.answers ?? {})
        .map((answer) => [answer].flat().join(", "))
        .join(" · ");
    case "hook":
      return textFromJson(block.resolution?.decision ?? {});
    case "interrupt":
      return textFromJson(block.resolution?.value ?? null);
    case "tool_call":
      return `${block.resolution?.is_error ? "failed: " : ""}${textFromJson(block.resolution?.output ?? null)}`;
    case "budget":
      return block.resolution?.decision === "raise" ? "raised" : "stopped";
  }
}

/** What became of the request, on one line; nothing while it waits. */
export function outcomeLines(block: RequestBlock, format: Format): string[] {
  const { dim, green, red } = format.colors;
  const isNo = block.type === "permission" && !block.resolution?.allowed;
  switch (block.status) {
    case "open":
      return [];
    case "answered": {
      const mark = isNo ? red("✗") : green("✓");
      return wrap(safeLine(answerText(block)), format.width, { first: `  ${mark} `, rest: "    " });
    }
    case "cancelled":
      return [dim("  ⊘ not asked any more: the turn ended")];
    case "expired":
      return [dim("  ⊘ not answered in time")];
    case "orphaned":
      return [dim("  ⊘ the agent that asked is gone")];
  }
}
