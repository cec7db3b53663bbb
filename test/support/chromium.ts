import { access, constants } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { type Browser, chromium } from "playwright-core";

const names = ["chromium", "chromium-browser", "google-chrome"];

/** Starts the machine's own Chromium. */
export async function launchChromium(): Promise<Browser> {
  const places = (process.env["PATH"] ?? "").split(delimiter);
  for (const path of places.flatMap((place) => names.map((name) => join(place, name)))) {
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return chromium.launch({ executablePath: path, args: ["--no-sandbox"] });
  }
  throw new Error("there is no Chromium on the PATH: install one");
}
