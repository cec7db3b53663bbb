import { createRequire } from "node:module";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import * as z from "zod";

const SdkManifest = z.object({ claudeCodeVersion: z.string().optional() });

/** The CLI that comes with the SDK; undefined where there is none for this machine. */
export function packagedBinary(): string | undefined {
  const sdk = sdkManifest();
  if (sdk === undefined) return undefined;
  const name = `@anthropic-ai/claude-agent-sdk-${process.platform}-${process.arch}`;
  try {
    const manifest = createRequire(sdk).resolve(`${name}/package.json`);
    const program = process.platform === "win32" ? "claude.exe" : "claude";
    const path = join(dirname(manifest), program);
    return existsSync(path) ? path : undefined;
  } catch {
    // The package for this machine is not installed.
    return undefined;
  }
}

/** The version of the CLI that comes with the SDK. */
export function packagedVersion(): string | undefined {
  const path = sdkManifest();
  if (path === undefined) return undefined;
  const manifest = SdkManifest.safeParse(createRequire(import.meta.url)(path));
  return manifest.success ? manifest.data.claudeCodeVersion : undefined;
}

function sdkManifest(): string | undefined {
  const { resolve } = createRequire(import.meta.url);
  try {
    return join(dirname(resolve("@anthropic-ai/claude-agent-sdk")), "package.json");
  } catch {
    return undefined;
  }
}
