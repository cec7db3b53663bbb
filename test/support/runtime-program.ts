import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { inject } from "vitest";

const requireFrom = createRequire(new URL("../runtimes/package.json", import.meta.url));

/** The program of a JavaScript runtime that the long system lane has installed. */
export function runtimeProgram(name: "bun" | "deno"): string {
  const problem = inject("runtimesProblem");
  if (problem !== undefined) throw new Error(`There is no ${name} to test with: ${problem}`);
  const { optionalDependencies } = requireFrom(`${name}/package.json`) as {
    optionalDependencies: Record<string, string>;
  };
  for (const dependency of Object.keys(optionalDependencies)) {
    const place = placeOf(dependency);
    if (place !== undefined)
      return name === "bun" ? join(place, "bin", "bun") : join(place, "deno");
  }
  throw new Error(`npm has no ${name} for ${process.platform} on ${process.arch}.`);
}

function placeOf(dependency: string): string | undefined {
  try {
    return dirname(requireFrom.resolve(`${dependency}/package.json`));
  } catch {
    return undefined;
  }
}
