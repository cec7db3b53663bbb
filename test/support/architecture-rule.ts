import { isAgainstOrder } from "../../tools/import-graph/folder-order.ts";
import {
  importedPath,
  importsOf,
  sourceFolderOf,
  type SourceText,
} from "../../tools/import-graph/source-file.ts";
import {
  agentSdks,
  allowedImports,
  browserSafe,
  recorder,
  restrictedEntries,
} from "./package-table.ts";

/** The faults in the imports of a file, each as a sentence; none for a file that keeps the rules. */
export function wrongImports(file: SourceText): string[] {
  return importsOf(file.text).flatMap(({ specifier }) => {
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
  const target = importedPath(path, specifier);
  if (!target?.startsWith(`${sourceFolderOf(path)}/`)) return ["it leaves the package"];
  return isAgainstOrder(path, specifier) ? ["it comes later in the order of folders"] : [];
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

/** `@turnwire/log/event-log` → `@turnwire/log`. */
function packageNameOf(specifier: string): string {
  const parts = specifier.split("/");
  return specifier.startsWith("@") ? parts.slice(0, 2).join("/") : (parts[0] ?? specifier);
}
