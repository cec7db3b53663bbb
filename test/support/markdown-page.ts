import { createHighlighter, createUrlRule } from "@turnwire/markdown";
import { Markdown } from "@turnwire/react";
import { createElement } from "react";
import { createRoot } from "react-dom/client";
import { markdownAttacks } from "../../packages/markdown/src/test-support/attack.ts";

const code = "```ts\nconst answer = 42; // highlighted in a worker\n```";
const highlighter = createHighlighter({
  createWorker: () => new Worker("/highlight-worker.js", { type: "module" }),
});
const urlRule = createUrlRule();

/** Every attack, and one honest code block, as an application shows them. */
const texts = [code, ...markdownAttacks.map(({ text }) => text)];
const root = document.createElement("main");
document.body.append(root);
createRoot(root).render(
  texts.map((text, index) => createElement(Markdown, { key: index, text, highlighter, urlRule })),
);
