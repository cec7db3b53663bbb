import { delimiter, join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import type { TestProject } from "vitest/node";
import { hasDebianPackages, installDebianPackage, isExecutable } from "./debian-package.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Whether the browser lane has a browser; without one its tests are skipped. */
    hasChromium: boolean;
  }
}

const debianPackage = "chromium-headless-shell";

/** The headless shell first: it starts and renders in half the time, as Playwright uses it by default. */
const names = [
  "chromium-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
];
const macApplications = [
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** The Chromium or Chrome of this machine, or else the one that Playwright has downloaded. */
export function findChromium(): string | undefined {
  const places = (process.env["PATH"] ?? "").split(delimiter);
  const onPath = places.flatMap((place) => names.map((name) => join(place, name)));
  return [...onPath, ...macApplications, chromium.executablePath()].find(isExecutable);
}

/** A Chromium of its own; `sharedChromium` of browser-page.ts is what tests need. */
export async function launchChromium(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error(`There is no Chromium: run \`${command()}\``);
  return chromium.launch({ executablePath, args: ["--no-sandbox"] });
}

/** Runs before the browser lane: a machine with only Node and npm gets its browser here, where that is allowed. */
export async function setup(project: TestProject): Promise<void> {
  if (findChromium() === undefined) await installDebianPackage(debianPackage);
  const hasChromium = findChromium() !== undefined;
  project.provide("hasChromium", hasChromium);
  if (hasChromium) return;
  const notice = `The browser lane is skipped: there is no Chromium here. To get it, run: ${command()}\n`;
  process.stderr.write(notice);
  // Once more where it is seen: beside the closing line of a long run.
  process.on("exit", () => process.stderr.write(notice));
}

/** The one command that brings a Chromium to this machine. */
function command(): string {
  if (hasDebianPackages) return `sudo apt-get install -y ${debianPackage}`;
  return "npx playwright-core install chromium";
}
