/** Whether keys have their Apple names and ⌘ is the key for shortcuts. */
export const isMac = /mac|iphone|ipad/i.test(platformName());

function platformName(): string {
  return typeof navigator === "undefined" ? "" : navigator.platform;
}

const appleNames: Readonly<Record<string, string>> = {
  Ctrl: "⌘",
  Alt: "⌥",
  Shift: "⇧",
};

/** A shortcut as it is written on this machine: `Ctrl K` is `⌘ K` on a Mac. */
export function keyName(keys: string, isApple = isMac): string {
  if (!isApple) return keys;
  return keys
    .split(" ")
    .map((key) => appleNames[key] ?? key)
    .join(" ");
}

/** The same for `aria-keyshortcuts`. */
export function ariaKeys(keys: string, isApple = isMac): string {
  return isApple ? keys.replaceAll("Control", "Meta") : keys;
}
