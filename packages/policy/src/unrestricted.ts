import { ActionKind } from "./action.ts";
import type { Mode } from "./mode.ts";

/** Whether a mode allows everything that no single rule of it names. A rule is not a fence: what it names can be done in other words. */
export function isUnrestricted(mode: Mode): boolean {
  const { read, write, network, actions, other_tools } = mode;
  const verdicts = [
    read.inside,
    read.outside,
    write.inside,
    write.outside,
    network.local,
    network.other,
    other_tools,
    ...ActionKind.options.map((kind) => actions[kind] ?? "ask"),
  ];
  return verdicts.every((verdict) => verdict === "allow");
}
