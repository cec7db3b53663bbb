import type { Redirection } from "unbash";
import { expandParts, expandWhole, expandWord } from "./expand.ts";
import { literalText, type ShellWord, unknownWord, wordSource } from "./shell-word.ts";
import { reportPath } from "./path-report.ts";
import type { State } from "./state.ts";
import type { Input, Walk } from "./walk.ts";

/** Evaluates redirections; answers with what the command reads instead of what it would. */
export function redirect(
  redirections: readonly Redirection[],
  state: State,
  walk: Walk,
): Input | undefined {
  let input: Input | undefined;
  for (const redirection of redirections) {
    if (redirection.descriptor?.type === "FileDescriptorVariable") {
      walk.reportKind(
        "opaque",
        `{${redirection.descriptor.name}}`,
        "a redirection that sets a variable",
      );
    }
    const { descriptor } = redirection;
    const isInput = descriptor?.type !== "FileDescriptor" || descriptor.value === 0;
    switch (redirection.type) {
      case "HereDoc": {
        const { body, delimiter } = redirection;
        const word =
          delimiter?.quoted === true || !body.parts
            ? undefined
            : expandParts(body.parts, { walk, state });
        const isPlain = delimiter?.quoted === true || !body.text.includes("\\");
        const text = isPlain ? (word ? literalText(word) : body.text) : undefined;
        if (isInput) input = { type: "text", text };
        break;
      }
      case "HereString": {
        const word = redirection.target && expandWhole(redirection.target, { walk, state });
        if (isInput) input = { type: "text", text: literalText(word) };
        break;
      }
      case "Redirect": {
        const isRead = redirectToFile(redirection, state, walk);
        if (isRead && isInput) input = { type: "text", text: undefined };
        break;
      }
      default:
        walk.reportKind("opaque", "", "a redirection that the evaluator does not know");
    }
  }
  return input;
}

function redirectToFile(
  redirection: Extract<Redirection, { type: "Redirect" }>,
  state: State,
  walk: Walk,
): boolean {
  const { operator, target } = redirection;
  const words = target ? expandWord(target, { walk, state }) : [];
  const [word = unknownWord()] = words;
  const text = literalText(word);
  const isDescriptor = /^(?:\d{1,3}-?|-)$/.test(text ?? "");
  if ((operator === ">&" || operator === "<&") && isDescriptor) return operator === "<&";
  if (words.length !== 1) {
    walk.reportKind("opaque", `${operator} ${target?.text ?? ""}`, "its target is not one word");
    return true;
  }
  const isRead = operator === "<";
  if (operator === "<&") {
    walk.reportKind("opaque", `<& ${wordSource(word)}`, "its descriptor is not known");
    return true;
  }
  reportRedirectTarget(word, { isRead, operator, state, walk });
  return isRead || operator === "<>";
}

interface Target {
  readonly isRead: boolean;
  readonly operator: string;
  readonly state: State;
  readonly walk: Walk;
}

function reportRedirectTarget(word: ShellWord, { isRead, operator, state, walk }: Target): void {
  const subject = `${operator} ${wordSource(word)}`;
  const text = literalText(word);
  const socket = /^\/+dev\/+(?:tcp|udp)\/+([^/]*)/.exec(text ?? "");
  if (socket) {
    walk.report({ type: "network", host: socket[1] || undefined, subject });
    return;
  }
  reportPath(word, { access: isRead ? "read" : "write", subject, state, walk });
}
