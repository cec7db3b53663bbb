import { takeDefinitions } from "./definition.ts";
import type { BlockDraft } from "./draft.ts";
import { type BlockState, type OpenContainer, type OpenLeaf, parentOf } from "./open-block.ts";
import { trimSpace, trimSpaceEnd } from "../inline/space.ts";

/** Turns the open leaf into a draft. */
export function closeLeaf(state: BlockState): void {
  const { leaf } = state;
  state.leaf = undefined;
  if (leaf === undefined) return;
  const draft = leaf.type === "paragraph" ? paragraphDraft(state, leaf.content) : leafDraft(leaf);
  if (draft !== undefined) parentOf(state).children.push(draft);
}

/** Closes containers from the innermost until only so many are open, with the leaf in them. */
export function closeContainers(state: BlockState, count: number): void {
  if (state.containers.length === count) return;
  closeLeaf(state);
  while (state.containers.length > count) {
    const container = state.containers.pop();
    if (container !== undefined) addContainer(state, container);
  }
}

function addContainer(state: BlockState, container: OpenContainer): void {
  switch (container.type) {
    case "quote":
      parentOf(state).children.push({ type: "quote", children: container.children });
      return;
    case "list_item": {
      const list = state.containers.at(-1);
      if (list?.type === "list")
        list.items.push({ type: "list_item", children: container.children });
      return;
    }
    case "list": {
      const { marker, isTight, items } = container;
      parentOf(state).children.push({ type: "list", start: marker.start, isTight, items });
    }
  }
}

function paragraphDraft(state: BlockState, content: string): BlockDraft | undefined {
  const text = textOfParagraph(state, content);
  return text === "" ? undefined : { type: "paragraph", level: 0, content: text };
}

/** The text of a paragraph without the definitions at its start. */
export function textOfParagraph(state: BlockState, content: string): string {
  if (!content.startsWith("[")) return trimSpaceEnd(content);
  const { definitions, rest } = takeDefinitions(content);
  for (const definition of definitions) state.onDefinition(definition);
  return trimSpace(rest);
}

function leafDraft(leaf: Exclude<OpenLeaf, { type: "paragraph" }>): BlockDraft {
  switch (leaf.type) {
    case "fence":
      return { type: "code_block", info: leaf.info, text: leaf.text ?? "", isOpen: false };
    case "indented_code":
      return { type: "code_block", info: "", text: leaf.text, isOpen: false };
    case "html":
      return { type: "html", text: leaf.text };
    case "table":
      return { type: "table", alignments: leaf.alignments, header: leaf.header, rows: leaf.rows };
  }
}
