const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Chrome|CriOS|Chromium|HeadlessChrome)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];

const platforms: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b|\bMacintosh\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
];

/** What a person would call the browser of a User-Agent header. */
export function browserName(userAgent: string | undefined): string {
  const browser = firstMatch(browsers, userAgent) ?? "A browser";
  const platform = firstMatch(platforms, userAgent);
  return platform === undefined ? browser : `${browser} on ${platform}`;
}

/** Order matters: most browsers also name those that they resemble. */
function firstMatch(names: readonly (readonly [RegExp, string])[], text = ""): string | undefined {
  return names.find(([pattern]) => pattern.test(text))?.[1];
}
