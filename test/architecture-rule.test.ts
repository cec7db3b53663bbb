import { dirname, relative } from "node:path/posix";
import { describe, expect, test } from "vitest";
import { folderOrder } from "../tools/import-graph/folder-order.ts";
import { appendsToLog, wrongImports } from "./support/architecture-rule.ts";
import { allowedImports, browserSafe } from "./support/package-table.ts";

function sourceOf(name: string): string {
  return `${name === "web" ? "apps" : "packages"}/${name}/src`;
}

/** The faults of a file of a package that imports this. */
function planted(path: string, specifier: string): string[] {
  return wrongImports({ path, text: `import { planted } from "${specifier}";\n` });
}

const names = Object.keys(allowedImports);
const ours = names.map((name) => `@turnwire/${name}`);

describe.each(names)("a wrong import planted in %s is found", (name) => {
  const path = `${sourceOf(name)}/planted.ts`;

  test("of a library that its row does not name, in each form of an import", () => {
    expect(planted(path, "left-pad")).toEqual([
      `${path} imports left-pad: it is not in the row of ${name}`,
    ]);
    for (const text of [
      'import "left-pad";',
      'export * from "left-pad";',
      'export type { Pad } from "left-pad/types";',
      'const pad = await import("left-pad");',
      'import {\n  left,\n  right,\n} from "left-pad";',
    ]) {
      expect(wrongImports({ path, text })).toHaveLength(1);
    }
  });

  test("of every package of ours that its row does not name", () => {
    const strangers = ours.filter(
      (other) => other !== `@turnwire/${name}` && !allowedImports[name]?.includes(other),
    );
    expect(strangers.filter((other) => planted(path, other).length === 0)).toEqual([]);
    expect(strangers).not.toEqual([]);
  });

  test("of another package's files by a relative path", () => {
    const other = name === "base" ? "log" : "base";
    const climb = name === "web" ? "../../../packages" : "../..";
    expect(planted(path, `${climb}/${other}/src/index.ts`)).toEqual([
      `${path} imports ${climb}/${other}/src/index.ts: it leaves the package`,
    ]);
  });

  test("of Node where it runs in browsers, and only there", () => {
    expect(planted(path, "node:fs")).toHaveLength(browserSafe.has(name) ? 1 : 0);
  });

  test("and what its row names is not a fault", () => {
    const allowed = [...(allowedImports[name] ?? []), `@turnwire/${name}`, "./other.ts"];
    expect(allowed.flatMap((specifier) => planted(path, specifier))).toEqual([]);
  });
});

describe("a wrong import planted between stages is found", () => {
  test.each([
    ["packages/server/src/2-session/planted.ts", "../3-host/session-host.ts"],
    ["packages/server/src/2-session/decide/planted.ts", "../../4-transport/server.ts"],
    ["packages/server/src/3-host/planted.ts", "../4-transport/stream/frame-log/frame-log.ts"],
    ["packages/server/src/2-session/planted.ts", "../index.ts"],
    ["packages/client/src/5-connection/planted.ts", "../6-session/session-store.ts"],
    ["packages/client/src/6-session/planted.ts", "../7-binding/index.ts"],
  ])("%s may not import %s", (path, specifier) => {
    expect(planted(path, specifier)).toEqual([
      `${path} imports ${specifier}: it comes later in the order of folders`,
    ]);
  });

  test("a lower stage may be imported", () => {
    expect(
      planted("packages/server/src/4-transport/planted.ts", "../2-session/session.ts"),
    ).toEqual([]);
  });
});

describe.each(Object.entries(folderOrder))("between the folders of %s", (name, order) => {
  const place = (folder: string): string =>
    `${sourceOf(name)}/${folder === "." ? "" : `${folder}/`}planted.ts`;

  /** How a file of one folder names a file of another. */
  const specifier = (from: string, to: string): string => {
    const path = relative(dirname(place(from)), place(to));
    return path.startsWith(".") ? path : `./${path}`;
  };

  test.each(order.slice(0, -1))("a wrong import planted in %s is found", (folder) => {
    const later = order.slice(order.indexOf(folder) + 1);
    const found = later.filter((other) => planted(place(folder), specifier(folder, other)).length);
    expect(found).toEqual(later);
  });

  test.each(order)("%s may import itself and what comes before it", (folder) => {
    const allowed = order.slice(0, order.indexOf(folder) + 1);
    expect(allowed.flatMap((other) => planted(place(folder), specifier(folder, other)))).toEqual(
      [],
    );
  });

  test("a folder without a place in the order is found", () => {
    expect(planted(place("planted"), specifier("planted", order[0] ?? ""))).toHaveLength(1);
  });
});

describe("what only a few files may have", () => {
  test("an agent SDK outside the package of its runtime is found", () => {
    const sdk = "@anthropic-ai/claude-agent-sdk";
    expect(planted("packages/runtime-codex/src/planted.ts", sdk)).toHaveLength(1);
    expect(planted("packages/cli/src/planted.ts", sdk)).toHaveLength(1);
    expect(planted("packages/runtime-claude/src/planted.ts", sdk)).toEqual([]);
  });

  test("the log that can be written is for the recorder and for what loads a session", () => {
    const entry = "@turnwire/log/event-log";
    for (const path of ["4-transport/planted.ts", "3-host/planted.ts", "2-session/intake.ts"]) {
      expect(planted(`packages/server/src/${path}`, entry)).toHaveLength(1);
    }
    expect(planted("packages/conformance/src/planted.ts", entry)).toHaveLength(1);
    expect(planted("packages/server/src/2-session/record/recorder.ts", entry)).toEqual([]);
  });

  test("an append to a log is found in every file of the server but the recorder", () => {
    const text = "await this.#loaded.log.append(drafts).committed;";
    expect(appendsToLog({ path: "packages/server/src/2-session/session.ts", text })).toBe(true);
    expect(appendsToLog({ path: "packages/server/src/2-session/record/recorder.ts", text })).toBe(
      false,
    );
  });
});
