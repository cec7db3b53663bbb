import { basename } from "node:path";
import { isObject } from "@turnwire/base";
import type { Definition } from "./rule.ts";

/** A file of instructions, with the files that it brings in. They are named, not followed. */
export function readInstructions(text: string): Definition[] {
  const imports = Array.from(
    text.matchAll(/(?:^|\s)@((?:~?\.{0,2}\/)?[\w./-]+\.\w+)/g),
    ([, at]) => at,
  );
  return [imports.length === 0 ? {} : { detail: `imports ${[...new Set(imports)].join(", ")}` }];
}

/** A Markdown file whose front matter may name what it defines. */
export function readNamed(text: string, path: string): Definition[] {
  const [, head = ""] = /^\uFEFF?---\r?\n([^]*?)\r?\n---/.exec(text) ?? [];
  const [, name] = /^name:[ \t]*["']?([^"'\r\n]+)/m.exec(head) ?? [];
  return [{ name: name?.trim() ?? nameOf(path) }];
}

/** A skill is named like the directory it is in. */
export function readSkill(text: string, path: string): Definition[] {
  const place = path.slice(0, -basename(path).length - 1);
  return readNamed(text, place);
}

/** A file that is called like what it defines. */
export function readByPath(_text: string, path: string): Definition[] {
  return [{ name: nameOf(path) }];
}

function nameOf(path: string): string {
  return basename(path).replace(/\.\w+$/, "");
}

/** `{ "Event": [{ hooks: [{ command }] }] }`, as Claude and Codex both write hooks. */
export function hooksIn(hooks: unknown): Definition[] {
  if (!isObject(hooks)) return [];
  return Object.entries(hooks).flatMap(([name, groups]) =>
    listOf(groups).flatMap((group) =>
      listOf(isObject(group) ? group["hooks"] : undefined).map((hook): Definition => {
        const command = commandOf(hook);
        return { kind: "hook", name, detail: command, command };
      }),
    ),
  );
}

/** `{ "name": { command, args } | { url } }`, as MCP servers are written everywhere. */
export function serversIn(servers: unknown): Definition[] {
  if (!isObject(servers)) return [];
  return Object.entries(servers).map(([name, server]) => {
    const command = commandOf(server);
    return { kind: "mcp_server", name, detail: command, command };
  });
}

function commandOf(value: unknown): string {
  if (!isObject(value)) return "";
  const { command, args, url, prompt, type } = value;
  if (typeof command === "string") return [command, ...listOf(args).map(String)].join(" ");
  return [url, prompt, type].find((text) => typeof text === "string") ?? "";
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function isMarkdown(path: string): boolean {
  return path.endsWith(".md");
}

export function isSkill(path: string): boolean {
  return basename(path) === "SKILL.md";
}
