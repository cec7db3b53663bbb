import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const css = readFileSync(join(dirname(fileURLToPath(import.meta.url)), "token.css"), "utf8");
const [, dark = "", chosenDark = ""] = css.split(
  /@media \(prefers-color-scheme: dark\)|:root\[data-theme="dark"\]/,
);

type Colors = ReadonlyMap<string, string>;

/** Each colour is written as its light and its dark one. */
function colorsOf(theme: "light" | "dark"): Colors {
  const found = css.matchAll(/--([\w-]+): light-dark\(oklch\(([^)/]+)\), oklch\(([^)/]+)\)\);/g);
  return new Map(
    Array.from(found, ([, name = "", light = "", dark = ""]) => [
      name,
      theme === "light" ? light : dark,
    ]),
  );
}

/** The relative luminance of an oklch colour, as WCAG defines it. */
function luminance(color: string): number {
  const [lightness = 0, chroma = 0, hue = 0] = color.split(" ").map((part) => parseFloat(part));
  const l = lightness / 100;
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const [long, middle, short] = [
    (l + 0.3963377774 * a + 0.2158037573 * b) ** 3,
    (l - 0.1055613458 * a - 0.0638541728 * b) ** 3,
    (l - 0.0894841775 * a - 1.291485548 * b) ** 3,
  ];
  const channels = [
    4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * middle + 1.707614701 * short,
  ].map((channel) => Math.min(1, Math.max(0, channel)));
  const [red = 0, green = 0, blue = 0] = channels;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(colors: Colors, text: string, ground: string): number {
  const [first, second] = [text, ground].map((name) => {
    const color = colors.get(name);
    if (color === undefined) throw new Error(`There is no colour --${name}`);
    return luminance(color);
  });
  const [darker = 0, lighter = 0] = [first ?? 0, second ?? 0].toSorted((x, y) => x - y);
  return (lighter + 0.05) / (darker + 0.05);
}

const grounds = ["paper", "paper-sunken", "paper-raised", "paper-hover"];
const words = ["ink", "ink-soft", "ink-faint", "accent", "working", "waiting", "good", "bad"];
const pairs = [
  ...grounds.flatMap((ground) => words.map((word) => [word, ground])),
  ["on-accent", "accent"],
  ["on-accent", "accent-hover"],
  ["ink", "paper-active"],
  ["ink-soft", "paper-active"],
  ...["accent", "working", "waiting", "good", "bad"].flatMap((tone) => [
    [tone, `${tone}-soft`],
    ["ink", `${tone}-soft`],
  ]),
];

describe.each(["light", "dark"] as const)("in the %s theme", (theme) => {
  const colors = colorsOf(theme);

  test.each(pairs)("%s can be read on %s", (text = "", ground = "") => {
    expect(contrast(colors, text, ground)).toBeGreaterThanOrEqual(4.5);
  });
});

test("the dark theme is the same whether the system or the person has chosen it", () => {
  const tokensOf = (part: string) => part.split("}")[0]?.match(/[\w-]+: [^;]+;/g);
  expect(tokensOf(dark)).toContain("color-scheme: dark;");
  expect(tokensOf(chosenDark)).toEqual(tokensOf(dark));
});
