import type { Surface } from "@turnwire/protocol";

/** Which component, and where. */
export interface ComponentPlace {
  readonly component_id: string;
  readonly name: string;
  readonly surface: Surface;
}

/** Why a component is not shown. */
export interface ComponentFailure extends ComponentPlace {
  /** unknown: the name is not registered; misplaced: not for this surface; invalid: its props are not what it takes; broken: it threw. */
  readonly problem: "unknown" | "misplaced" | "invalid" | "broken";
  /** The error of the parser or the component. */
  readonly error?: Error;
}

/** A failure in words, for where nothing better stands in its place. */
export function explanation({ name, surface, problem, error }: ComponentFailure): string {
  const because = error ? `: ${error.message}` : ".";
  switch (problem) {
    case "unknown":
      return `The agent shows “${name}” here, but this page has no such component.`;
    case "misplaced":
      return `The agent shows “${name}” here, but that is not made for the ${surface}.`;
    case "invalid":
      return `The agent shows “${name}” with props that it cannot take${because}`;
    case "broken":
      return `“${name}” failed${because}`;
  }
}
