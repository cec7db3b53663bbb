import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fingerprint } from "./fingerprint.ts";

/** The sources of the web app: its own and those of the packages that are bundled into it. */
export const webPackages = ["base", "client", "markdown", "protocol", "react"];

const inputs = [
  "package-lock.json",
  "tsconfig.base.json",
  "apps/web",
  ...webPackages.flatMap((name) => [`packages/${name}/package.json`, `packages/${name}/src`]),
];

const builtPage = "apps/web/dist/index.html";
const stampFile = "node_modules/.cache/turnwire/web-build.json";

interface Stamp {
  /** Of what the app was built from. */
  readonly source: string;
  /** Of the page that was built: it names every other file by its content. */
  readonly page: string;
}

/** Builds the web app where it is not there or was built from something else. Answers whether it did. */
export function buildWeb(root: string, build: () => void): boolean {
  const source = fingerprint(root, inputs);
  const page = hashOf(join(root, builtPage));
  const stamp = readStamp(root);
  if (page !== undefined && stamp?.source === source && stamp.page === page) return false;
  const file = join(root, stampFile);
  rmSync(file, { force: true });
  build();
  const built: Stamp = { source, page: hashOf(join(root, builtPage)) ?? "" };
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(built));
  return true;
}

function readStamp(root: string): Partial<Stamp> | undefined {
  try {
    return JSON.parse(readFileSync(join(root, stampFile), "utf8")) as Partial<Stamp>;
  } catch {
    // Never built, or cut off while it was written: it is built again.
    return undefined;
  }
}

function hashOf(path: string): string | undefined {
  try {
    return createHash("sha256").update(readFileSync(path)).digest("hex");
  } catch {
    return undefined;
  }
}
