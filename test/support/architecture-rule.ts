import { dirname, join } from "node:path/posix";
import {
  agentSdks,
  allowedImports,
  browserSafe,
  recorder,
  restrictedEntries,
} from "./package-table.ts";

/** A source file as the rules see it; the path begins at the root of the repository. */
export interface SourceText {
  readonly path: string;
  readonly text: string;
}

export function importsOf(text: string): string[] {
  const found = text.matchAll(/(?:\bfrom\s+|\bimport\s+|\bimport\(\s*)"([^"]+)"/g);
  return Array.from(found, (match) => match[1] ?? "");
}

/** What is wrong with the imports of a file, each as a sentence; nothing for a file that keeps the rules. */
export function wrongImports(file: SourceText): string[] {
  return importsOf(file.text).flatMap((specifier) => {
    const faults = specifier.startsWith(".")
      ? relativeFaults(file.path, specifier)
      : packageFaults(file.path, specifier);
    return faults.map((fault) => `${file.path} imports ${specifier}: ${fault}`);
  });
}

/** Whether a file of the server writes to a log although it is not the recorder. */
export function appendsToLog({ path, text }: SourceText): boolean {
  return (
    path.startsWith("packages/server/") && path !== recorder && /\blog\s*\.append\(/i.test(text)
  );
}

function relativeFaults(path: string, specifier: string): string[] {
  const target = join(dirname(path), specifier);
  if (!target.startsWith(`${sourceFolderOf(path)}/`)) return ["it leaves the package"];
  return stageOf(target) > stageOf(path) ? ["it is a higher stage"] : [];
}

function packageFaults(path: string, specifier: string): string[] {
  const name = packageOf(path);
  if (specifier.startsWith("node:")) {
    return browserSafe.has(name) ? ["the package runs in browsers"] : [];
  }
  const imported = packageNameOf(specifier);
  if (imported === `@turnwire/${name}`) return [];
  const sdkFolder = agentSdks[imported];
  if (sdkFolder !== undefined) {
    return path.startsWith(sdkFolder) ? [] : [`it is for ${sdkFolder} only`];
  }
  if (!allowedImports[name]?.includes(imported)) return [`it is not in the row of ${name}`];
  const allowedFiles = restrictedEntries[specifier];
  return allowedFiles && !allowedFiles.includes(path) ? ["it is for a few files only"] : [];
}

/** `packages/log/src/x.ts` → `log`. */
function packageOf(path: string): string {
  return path.split("/")[1] ?? "";
}

/** `packages/log/src/x.ts` → `packages/log/src`. */
function sourceFolderOf(path: string): string {
  return path.split("/").slice(0, 3).join("/");
}

/** `@turnwire/log/event-log` → `@turnwire/log`. */
function packageNameOf(specifier: string): string {
  const parts = specifier.split("/");
  return specifier.startsWith("@") ? parts.slice(0, 2).join("/") : (parts[0] ?? specifier);
}

/** The number of the stage a file belongs to; files outside any stage see all. */
function stageOf(path: string): number {
  const stage = path
    .split("/")
    .map((part) => /^(\d)-/.exec(part)?.[1])
    .find((number) => number !== undefined);
  return stage === undefined ? Infinity : Number(stage);
}
