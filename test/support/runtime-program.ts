import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const require = createRequire(import.meta.url);

/** The program of a JavaScript runtime that npm brings; undefined where there is none for this machine. */
export function runtimeProgram(name: "bun" | "deno"): string | undefined {
  const { optionalDependencies } = require(`${name}/package.json`) as {
    optionalDependencies: Record<string, string>;
  };
  for (const dependency of Object.keys(optionalDependencies)) {
    const place = placeOf(dependency);
    if (place !== undefined)
      return name === "bun" ? join(place, "bin", "bun") : join(place, "deno");
  }
  return undefined;
}

function placeOf(dependency: string): string | undefined {
  try {
    return dirname(require.resolve(`${dependency}/package.json`));
  } catch {
    return undefined;
  }
}
