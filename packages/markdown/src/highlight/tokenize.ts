import dockerfile from "highlight.js/lib/languages/dockerfile";
import { common, createLowlight } from "lowlight";
import { plainLines, type Token, type TokenKind, type TokenLine } from "./token.ts";

const lowlight = createLowlight({ ...common, dockerfile });
lowlight.registerAlias({ ini: ["conf", "env", "properties"], bash: ["console", "fish"] });

type Tree = ReturnType<typeof lowlight.highlight>;
type TreeNode = Tree["children"][number];

/** Scopes of highlight.js, by what we call them; what is not here is plain. */
const kinds: Readonly<Record<string, TokenKind>> = {
  keyword: "keyword",
  "selector-pseudo": "keyword",
  string: "string",
  regexp: "string",
  char: "string",
  "template-tag": "string",
  comment: "comment",
  quote: "comment",
  doctag: "comment",
  number: "number",
  literal: "literal",
  symbol: "literal",
  bullet: "literal",
  title: "function",
  type: "type",
  built_in: "type",
  class: "type",
  variable: "variable",
  "template-variable": "variable",
  params: "variable",
  property: "property",
  attr: "property",
  attribute: "property",
  "selector-attr": "property",
  tag: "tag",
  name: "tag",
  "selector-tag": "tag",
  "selector-class": "tag",
  "selector-id": "tag",
  operator: "operator",
  meta: "meta",
  section: "heading",
  emphasis: "emphasis",
  strong: "emphasis",
  link: "link",
  addition: "addition",
  deletion: "deletion",
};

/** The tokens of code, line by line; a language that is not known gives plain ones. */
export function tokenLinesFrom(code: string, language: string): readonly TokenLine[] {
  const name = language.toLowerCase();
  if (!lowlight.registered(name)) return plainLines(code);
  const lines: Token[][] = [[]];
  addNodes(lowlight.highlight(name, code).children, "plain", lines);
  return lines;
}

function addNodes(nodes: readonly TreeNode[], kind: TokenKind, lines: Token[][]): void {
  for (const node of nodes) {
    if (node.type === "text") addText(node.value, kind, lines);
    if (node.type === "element") {
      addNodes(
        node.children.filter((child) => child.type !== "comment"),
        kindFrom(node.properties["className"]) ?? kind,
        lines,
      );
    }
  }
}

function addText(text: string, kind: TokenKind, lines: Token[][]): void {
  const [first = "", ...others] = text.split(/\r\n?|\n/);
  if (first !== "") lines.at(-1)?.push({ text: first, kind });
  for (const line of others) lines.push(line === "" ? [] : [{ text: line, kind }]);
}

function kindFrom(classNames: unknown): TokenKind | undefined {
  if (!Array.isArray(classNames)) return undefined;
  const [scope, ...refinements]: unknown[] = classNames;
  if (refinements.includes("class_")) return "type";
  return typeof scope === "string" ? kinds[scope.replace(/^hljs-/, "")] : undefined;
}
