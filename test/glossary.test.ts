import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { avoidedPhrases, otherMeanings, retiredNames } from "./support/glossary-exception.ts";
import { rareWordings } from "./support/wording-ceiling.ts";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");

interface TextFile {
  readonly path: string;
  readonly text: string;
}

interface GlossaryRow {
  readonly word: string;
  readonly avoid: readonly string[];
}

interface AvoidedWord {
  readonly name: string;
  readonly pattern: RegExp;
  /** What to write instead. */
  readonly word: string;
}

const read = /\.(ts|tsx|svelte|js|css|html|sh|md)$/;
/** Built or recorded files, and those that name avoided words on purpose. */
const skippedFolders = new Set([
  "node_modules",
  "dist",
  "fixtures",
  "__snapshots__",
  "api",
  "pages",
]);
const skippedFiles = new Set([
  "GLOSSARY.md",
  "CHANGELOG.md",
  "test/glossary.test.ts",
  "test/support/glossary-exception.ts",
  "test/support/wording-ceiling.ts",
]);

function textFiles(folder = root): TextFile[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      const isSkipped = skippedFolders.has(entry.name) || entry.name.startsWith(".");
      return isSkipped ? [] : textFiles(path);
    }
    const name = relative(root, path).split(sep).join("/");
    if (!read.test(name) || skippedFiles.has(name)) return [];
    return [{ path: name, text: readFileSync(path, "utf8") }];
  });
}

/** The rows of a table `| word | meaning | avoid |`. */
function glossaryRows(markdown: string): GlossaryRow[] {
  return markdown
    .split("\n")
    .filter((line) => line.startsWith("| ") && !line.startsWith("| word "))
    .map((line) => {
      const [word = "", , avoid = ""] = line
        .split("|")
        .slice(1)
        .map((cell) => cell.trim());
      return { word, avoid: avoid.split(",").flatMap((part) => part.trim() || []) };
    });
}

function avoidedWords(rows: readonly GlossaryRow[]): AvoidedWord[] {
  return rows.flatMap(({ word, avoid }) =>
    avoid.map((name) => ({ name, word, pattern: patternOf(name) })),
  );
}

function patternOf(name: string): RegExp {
  return new RegExp(`\\b${name.toLowerCase()}(s|es)?\\b`);
}

/** A text as plain words, so that `rawMessage`, `raw_message` and "raw message" are the same. */
function wordsOf(text: string): string {
  return text
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .replace(/[_-]/g, " ")
    .toLowerCase();
}

function avoidedIn(file: TextFile, avoided: readonly AvoidedWord[]): string[] {
  const text = wordsOf(file.text);
  return avoided
    .filter(({ pattern, name }) => pattern.test(text) && !isOtherMeaning(name, file.path))
    .flatMap(({ pattern, name, word }) =>
      linesWith(file, (line) => pattern.test(wordsOf(line))).map(
        (place) => `${place} "${name}": write "${word}"`,
      ),
    );
}

function linesWith({ path, text }: TextFile, isHit: (line: string) => boolean): string[] {
  return text.split("\n").flatMap((line, index) => (isHit(line) ? [`${path}:${index + 1}`] : []));
}

function isOtherMeaning(avoided: string, path: string): boolean {
  return otherMeanings.some(({ word, where }) => word === avoided && where.test(path));
}

function retiredIn(file: TextFile): string[] {
  return file.text.split("\n").flatMap((line, index) => {
    const name = /\b(?:class|interface|type|function|const|let) (\w+)/.exec(line)?.[1] ?? "";
    const better = retiredNames.get(name);
    return better === undefined ? [] : [`${file.path}:${index + 1} ${name}: write ${better}`];
  });
}

function phrasesIn(file: TextFile): string[] {
  return avoidedPhrases
    .filter(({ phrase, except }) => phrase.test(file.text) && except?.test(file.path) !== true)
    .flatMap(({ phrase, write }) =>
      linesWith(file, (line) => phrase.test(line)).map((place) => `${place} write ${write}`),
    );
}

/** The count may be this far below its limit, so that most changes need not touch the limit. */
const SLACK = 20;

const rows = glossaryRows(readFileSync(join(root, "GLOSSARY.md"), "utf8"));
const avoided = avoidedWords(rows);
const files = textFiles();

describe("the glossary", () => {
  test("has a word for each thing, and recommends none that it avoids", () => {
    const words = rows.map(({ word }) => word);
    expect(words.length).toBeGreaterThan(40);
    expect(new Set(words).size).toBe(words.length);
    expect(rows.flatMap(({ avoid }) => avoid).filter((word) => words.includes(word))).toEqual([]);
  });

  test("is kept by identifiers, comments and documents", () => {
    expect(files.length).toBeGreaterThan(1000);
    expect(files.flatMap((file) => avoidedIn(file, avoided))).toEqual([]);
  });

  test("finds an avoided word in each form of a name", () => {
    const forms = ["rawMessage", "RawMessages", "RAW_MESSAGE", "raw-message", "// the raw message"];
    const found = forms.map((text) => avoidedIn({ path: "x.ts", text }, avoided).length);
    expect(found).toEqual([1, 1, 1, 1, 1]);
    expect(avoidedIn({ path: "x.ts", text: "const drawMessage = 1" }, avoided)).toEqual([]);
  });

  test("has no exception that nothing needs", () => {
    const unused = otherMeanings.filter(({ word, where }) => {
      const pattern = patternOf(word);
      return !files.some(({ path, text }) => where.test(path) && pattern.test(wordsOf(text)));
    });
    expect(unused).toEqual([]);
  });
});

describe("plain English", () => {
  test("names that were given up do not come back", () => {
    expect(files.flatMap(retiredIn)).toEqual([]);
  });

  test("phrases of the project's former dialect do not come back", () => {
    expect(files.flatMap(phrasesIn)).toEqual([]);
  });

  test.each(rareWordings)("$name does not become more common", ({ pattern, write, most }) => {
    const places = files.flatMap((file) => linesWith(file, (line) => pattern.test(line)));
    expect(places.length, `write ${write}`).toBeLessThanOrEqual(most);
    expect(places.length, "lower the limit").toBeGreaterThanOrEqual(most - SLACK);
  });
});
