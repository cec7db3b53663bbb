import { hasUnknown, knownStart, literalText, type ShellWord } from "../shell/shell-word.ts";
import { type Call, found, writes } from "./call.ts";
import { leadsElsewhere } from "./option.ts";

/**
 * Arguments of a tool whose options are not known one by one: whatever may be a path is taken for
 * one that is written, so that nothing leads out of the roots or into protected files.
 */
export function checkLooseArguments(call: Call, args: readonly ShellWord[]): void {
  for (const word of args) {
    const start = knownStart(word);
    const value = /^--?[\w.-]+=(.*)$/s.exec(start)?.[1] ?? start.replace(/^-[A-Za-z](?=[/~.])/, "");
    const isPathLike =
      /^(?:\/|~|\.\.?(?:\/|$))|(?:^|\/)\.[a-z]/i.test(value) || value.includes("/../");
    if (isPathLike) {
      const text = literalText(word) === undefined ? undefined : value;
      if (text !== undefined) writes(call, { pieces: [{ type: "text", text }] });
      else if (leadsElsewhere({ pieces: [{ type: "text", text: value }] }) || hasUnknown(word)) {
        found(call, "opaque", `an argument of ${call.name} may be any path`);
      }
    }
  }
}
