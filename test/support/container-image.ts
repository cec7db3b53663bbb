import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../../tools/published-package.ts";

type Command = readonly [string, ...string[]];

/** How the container file's last stage runs: what can be tried without a container. */
export interface ContainerImage {
  readonly env: Readonly<Record<string, string>>;
  readonly command: Command;
  readonly healthCheck: Command;
}

/** Reads the container file, with other directories in the place of the image's own. */
export async function readImage(
  directories: Readonly<Record<string, string>>,
): Promise<ContainerImage> {
  const text = (await readFile(join(root, "Dockerfile"), "utf8")).replaceAll(/\\\n\s*/g, "");
  const stage = text.slice(text.lastIndexOf("\nFROM "));
  const move = (path: string): string => {
    const from = Object.keys(directories).find(
      (directory) => path === directory || path.startsWith(`${directory}/`),
    );
    return from === undefined ? path : `${directories[from]}${path.slice(from.length)}`;
  };
  const command = (pattern: RegExp): string[] => {
    const parts: string[] = JSON.parse(pattern.exec(stage)?.[1] ?? "[]");
    return parts.map(move);
  };
  const [program = "", ...parameters] = command(/^ENTRYPOINT (\[.*\])$/m);
  const [checker = "", ...checks] = command(/^HEALTHCHECK .*CMD (\[.*\])$/m);
  const variables = /^ENV (.*)$/m.exec(stage)?.[1]?.split(" ") ?? [];
  return {
    env: Object.fromEntries(
      variables.map((variable) => {
        const [name = "", value = ""] = variable.split("=");
        return [name, move(value)];
      }),
    ),
    command: [program, ...parameters, ...command(/^CMD (\[.*\])$/m)],
    healthCheck: [checker, ...checks],
  };
}
