import type { Options } from "@anthropic-ai/claude-agent-sdk";
import { access, constants } from "node:fs/promises";
import { delimiter, join } from "node:path";
import type { RunOptions } from "@turnwire/runtime";

/** What the CLI's own sandbox needs on Linux; macOS has it built in. */
const programs = ["bwrap", "socat"] as const;
const packages = { bwrap: "bubblewrap", socat: "socat" } as const;

/** Whether the CLI has a sandbox on this platform, once what it needs is installed. */
export function hasSandbox(platform: NodeJS.Platform = process.platform): boolean {
  return platform === "linux" || platform === "darwin";
}

/** Why the CLI could not run commands in its sandbox here, with the next step. */
export async function sandboxProblem(
  env: Readonly<Record<string, string | undefined>> = process.env,
  platform: NodeJS.Platform = process.platform,
): Promise<string | undefined> {
  if (!hasSandbox(platform)) return "Claude has a sandbox on Linux and macOS only.";
  if (platform === "darwin") return undefined;
  const found = await Promise.all(programs.map((name) => isInPath(name, env["PATH"] ?? "")));
  const missing = programs.filter((_, index) => !found[index]).map((name) => packages[name]);
  if (missing.length === 0) return undefined;
  return `Claude's sandbox needs ${missing.join(" and ")}. Install it, for example with: apt-get install ${missing.join(" ")}`;
}

/** Tools that use the network in the CLI's own process, where no sandbox holds them. */
const networkTools = ["WebFetch", "WebSearch"];

/** What a sandboxed session runs with. The CLI refuses to start where its sandbox is not available. */
export function sandboxOptions({ sandbox, disallowedTools }: RunOptions): Options {
  if (!sandbox) return {};
  return {
    sandbox: {
      enabled: true,
      failIfUnavailable: true,
      allowUnsandboxedCommands: false,
      autoAllowBashIfSandboxed: false,
      network: sandbox.network
        ? { allowedDomains: ["*"] }
        : { allowedDomains: [], strictAllowlist: true },
    },
    ...(!sandbox.network && { disallowedTools: [...(disallowedTools ?? []), ...networkTools] }),
  };
}

async function isInPath(name: string, path: string): Promise<boolean> {
  const places = path.split(delimiter).filter(Boolean);
  const found = await Promise.all(
    places.map((place) =>
      access(join(place, name), constants.X_OK).then(
        () => true,
        () => false,
      ),
    ),
  );
  return found.includes(true);
}
