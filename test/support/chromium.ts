import { execFileSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { type Browser, chromium } from "playwright-core";

const names = ["chromium", "chromium-browser", "google-chrome"];

/** Where the machine's own Chromium is. */
export function findChromium(): string | undefined {
  const places = (process.env["PATH"] ?? "").split(delimiter);
  return places.flatMap((place) => names.map((name) => join(place, name))).find(isExecutable);
}

export async function launchChromium(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined) {
    throw new Error("There is no Chromium on the PATH: install Debian's package `chromium`.");
  }
  return chromium.launch({ executablePath, args: ["--no-sandbox"] });
}

/** Runs before all tests: a machine with only Node and npm gets its browser here, where that is allowed. */
export function setup(): void {
  const aptGet = ["/usr/bin/apt-get"].find(isExecutable);
  if (findChromium() !== undefined || aptGet === undefined || process.getuid?.() !== 0) return;
  process.stderr.write(
    "Installing Chromium from Debian's packages, for the tests that need one…\n",
  );
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  execFileSync(aptGet, ["update", "-qq"], { env });
  execFileSync(aptGet, ["install", "-y", "-qq", "--no-install-recommends", "chromium"], { env });
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
