import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

const root = join(import.meta.dirname, "..");

interface Entry {
  /** As users import it. */
  readonly specifier: string;
  readonly source: string;
}

/** Every module of our packages that can be imported from outside. */
function entries(): Entry[] {
  return readdirSync(join(root, "packages"))
    .map((folder) => join(root, "packages", folder))
    .filter((folder) => existsSync(join(folder, "package.json")))
    .flatMap((folder) => {
      const { name, exports = {} } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
      return Object.entries<unknown>(exports).flatMap(([path, conditions]) => {
        const source = sourceOf(conditions);
        return source?.endsWith(".ts") === true
          ? [{ specifier: join(name, path), source: join(folder, source) }]
          : [];
      });
    });
}

function sourceOf(conditions: unknown): string | undefined {
  if (typeof conditions !== "object" || conditions === null) return undefined;
  return "@turnwire/source" in conditions ? String(conditions["@turnwire/source"]) : undefined;
}

/** The names that a module exports, types marked; `*` means names that it does not list itself. */
function exportedNames(text: string): string[] {
  const lists = Array.from(text.matchAll(/^export (type )?\{([^}]*)\}/gm)).flatMap(
    ([, isType = "", names = ""]) =>
      names
        .split(",")
        .map((name) => name.trim())
        .filter((name) => name !== "")
        .map((name) => isType + name.replace(/^(type )?.* as /, "$1")),
  );
  const declared = Array.from(
    text.matchAll(/^export (?:async |abstract )?(const|function|class|interface|type) (\w+)/gm),
    ([, kind = "", name = ""]) => (/interface|type/.test(kind) ? `type ${name}` : name),
  );
  const all = /^export (?:type )?\*/m.test(text) ? ["*"] : [];
  return [...new Set([...lists, ...declared, ...all])].toSorted();
}

describe("the public surface", () => {
  test.each(entries())("of $specifier lists its names", ({ source }) => {
    expect(exportedNames(readFileSync(source, "utf8"))).not.toContain("*");
  });

  // A name that comes or goes changes what users can rely on: update with `vitest -u`, and say it in a changeset.
  test("is the one that was agreed on", async () => {
    const lists = entries().map(({ specifier, source }) => {
      const names = exportedNames(readFileSync(source, "utf8"));
      return `## ${specifier}\n\n${names.map((name) => `- ${name}`).join("\n")}`;
    });
    const page = `# Public surface\n\nEvery name that can be imported. A test compares it with the code.\n\n${lists.join("\n\n")}\n`;
    await expect(page).toMatchFileSnapshot(join(root, "docs/public-surface.md"));
  });
});
