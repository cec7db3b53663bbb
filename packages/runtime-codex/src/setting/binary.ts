import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const targets: Readonly<Record<string, string>> = {
  "linux-x64": "x86_64-unknown-linux-musl",
  "linux-arm64": "aarch64-unknown-linux-musl",
  "darwin-x64": "x86_64-apple-darwin",
  "darwin-arm64": "aarch64-apple-darwin",
  "win32-x64": "x86_64-pc-windows-msvc",
  "win32-arm64": "aarch64-pc-windows-msvc",
};

/** The Codex to run: the configured one, that of the npm package, or what the PATH has. */
export function codexBinary(configured?: string): string {
  return configured ?? packagedBinary() ?? "codex";
}

/** The native program: the package's own `codex` keeps a Node process around it on Node 20. */
function packagedBinary(): string | undefined {
  const platform = `${process.platform}-${process.arch}`;
  const target = targets[platform];
  const codex = packageDirectory("@openai/codex", import.meta.url);
  if (target === undefined || codex === undefined) return undefined;
  const native = packageDirectory(`@openai/codex-${platform}`, join(codex, "package.json"));
  if (native === undefined) return undefined;
  const name = process.platform === "win32" ? "codex.exe" : "codex";
  const path = join(native, "vendor", target, "bin", name);
  return existsSync(path) ? path : undefined;
}

function packageDirectory(name: string, from: string): string | undefined {
  try {
    return dirname(createRequire(from).resolve(`${name}/package.json`));
  } catch {
    // Not installed: the PATH may have it.
    return undefined;
  }
}
