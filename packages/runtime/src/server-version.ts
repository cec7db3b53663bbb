import { readFile } from "node:fs/promises";

/** The version of this package: `src` and `dist` are equally deep beside the manifest. */
export async function readServerVersion(): Promise<string> {
  const manifest = await readFile(new URL("../package.json", import.meta.url), "utf8");
  return String(JSON.parse(manifest).version);
}
