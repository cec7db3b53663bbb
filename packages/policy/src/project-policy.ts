import { isLooser } from "./looser.ts";
import type { Mode } from "./mode.ts";
import { parsePolicy, type Policy } from "./policy.ts";
import { PolicyError } from "./policy-error.ts";

/**
 * A policy from the data of a project's file, on top of another one. It can add modes, and make
 * those that there are stricter; a PolicyError names those that it would make looser.
 */
export function parseProjectPolicy(data: unknown, base: Policy): Policy {
  const policy = parsePolicy(data, base);
  const loosened = [...base.modes].flatMap(([name, mode]) => {
    const next = policy.modes.get(name);
    return next && next !== mode && isLoosened(mode, next) ? [name] : [];
  });
  if (loosened.length === 0) return policy;
  throw new PolicyError(
    "invalid_policy",
    loosened.map(
      (name) =>
        `modes.${name}: a project's policy can only make this mode stricter; give a mode that allows more a name of its own`,
    ),
  );
}

function isLoosened(from: Mode, to: Mode): boolean {
  const modes = new Map([
    ["from", from],
    ["to", to],
  ]);
  const { max_turns: before = Infinity } = from;
  const { max_turns: after = Infinity } = to;
  return after > before || isLooser({ version: "", modes, rules: [] }, { from: "from", to: "to" });
}
