import { readdirSync, readFileSync } from "node:fs";
import {
  foldAll,
  initialState,
  noCapabilities,
  wireErrorStatus,
  type SessionEvent,
} from "@turnwire/protocol";
import { describe, expect, test } from "vitest";
import { fillPages, loadPages } from "./page.ts";
import { loadRoutes } from "./route-table.ts";
import { schemaFiles } from "./schema-file.ts";
import { sectionsFrom } from "./section.ts";

const root = new URL("../../", import.meta.url);
const pages = await loadPages();
const table = await loadRoutes();
const whole = pages.map(({ text }) => text).join("\n");
/** What people wrote, without the generated parts. */
const prose = whole.replaceAll(/<!-- generated: [^]*?<!-- end -->/g, "");

function fencedBlock(language: string): string {
  const [, text] = new RegExp(`\n\`\`\`${language}\n([^]*?)\n\`\`\``).exec(
    whole.slice(whole.indexOf("## Worked example")),
  ) ?? ["", ""];
  return text ?? "";
}

describe("the pages of the protocol", () => {
  test("have the tables that the code gives: run `npm run spec` after a change", () => {
    expect(fillPages(pages, sectionsFrom(table))).toEqual(pages);
  });

  test("leave no field, code, limit or route without a meaning", () => {
    const rows = whole.split("\n").filter((line) => line.startsWith("| "));
    expect(rows.length).toBeGreaterThan(300);
    const empty = rows.filter((row) => /\|\s*\|$/.test(row) && !row.startsWith("| route"));
    expect(empty).toEqual([]);
  });

  test("have no name that a library made up", () => {
    expect(whole.match(/__schema\d*/g) ?? []).toEqual([]);
  });

  test("name in their text only routes that exist", () => {
    const known = new Set([
      ...table.routes.map(({ method, path }) => `${method} ${path}`),
      ...table.sockets.map(({ path }) => `GET ${path}`),
    ]);
    const named = Array.from(
      prose.matchAll(/`(GET|POST|PATCH|DELETE) (\/[a-z_:/.]*)/g),
      ([, method, path = ""]) =>
        `${method} ${path.replace("/sessions/:id", "/sessions/:session_id").replaceAll(/:([a-z_]+)/g, "{$1}")}`,
    );
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((route) => !known.has(route))).toEqual([]);
  });

  test("pair statuses and codes in their text as the code does", () => {
    const pairs = Array.from(
      prose.matchAll(/\b([45]\d\d) `([a-z_]+)`/g),
      ([, status, code = ""]) => [code, Number(status)],
    );
    expect(pairs.length).toBeGreaterThan(20);
    const statuses: Readonly<Record<string, number>> = wireErrorStatus;
    expect(pairs.filter(([code, status]) => statuses[String(code)] !== status)).toEqual([]);
  });

  test("show a log and the state that the fold makes of it", () => {
    const events = fencedBlock("jsonl")
      .split("\n")
      .map((line): SessionEvent => JSON.parse(line));
    expect(events).toHaveLength(10);
    const { session, ...state } = foldAll(initialState(), events);
    const before = initialState();
    const changed = Object.fromEntries(
      Object.entries(state).filter(
        ([name, value]) =>
          name === "requests" ||
          JSON.stringify(value) !== JSON.stringify(before[name as keyof typeof before]),
      ),
    );
    const { capabilities: _capabilities, ...facts } = { ...session, capabilities: noCapabilities };
    expect(JSON.parse(fencedBlock("json"))).toEqual({ session: facts, ...changed });
  });
});

describe("docs/schema", () => {
  const folder = new URL("docs/schema/", root);

  test("has the schemas that the code gives, and no others: run `npm run spec`", () => {
    // Tests of the command line and of the policy keep the schemas of their files.
    const files = new Set(["turnwire-config.json", "policy-file.json"]);
    const names = readdirSync(folder).filter((name) => !files.has(name));
    const stored = names.map((name) => [name, readFileSync(new URL(name, folder), "utf8")]);
    expect(Object.fromEntries(stored)).toEqual(Object.fromEntries(schemaFiles()));
  });
});
