import type { Definition } from "../tree/definition-table.ts";
import type { MarkdownAlignment } from "../tree/node.ts";
import type { BlockDraft, ItemDraft, RowDraft } from "./draft.ts";
import type { ListMarker } from "./list-marker.ts";

/** A block that holds others and to which lines may still be added. */
export type OpenContainer = OpenQuote | OpenList | OpenItem;

interface Openable {
  /** A blank line came last here: what follows stands apart. */
  endsBlank: boolean;
}

export interface OpenDocument extends Openable {
  readonly type: "document";
  children: BlockDraft[];
}

export interface OpenQuote extends Openable {
  readonly type: "quote";
  children: BlockDraft[];
}

export interface OpenList extends Openable {
  readonly type: "list";
  readonly marker: ListMarker;
  isTight: boolean;
  items: ItemDraft[];
}

export interface OpenItem extends Openable {
  readonly type: "list_item";
  /** Columns a line must be indented by to belong to the item. */
  readonly contentIndent: number;
  children: BlockDraft[];
}

/** The innermost block, made of lines. */
export type OpenLeaf =
  | { readonly type: "paragraph"; content: string }
  | OpenFence
  | OpenIndentedCode
  | { readonly type: "html"; text: string; readonly end: RegExp | undefined }
  | OpenTable;

export interface OpenFence {
  readonly type: "fence";
  readonly marker: string;
  readonly length: number;
  readonly indent: number;
  readonly info: string;
  /** Undefined before the first line: an empty line is a line. */
  text: string | undefined;
}

export interface OpenIndentedCode {
  readonly type: "indented_code";
  text: string;
  /** Kept apart, for they belong to the code only if more of it follows. */
  blankLines: string;
}

export interface OpenTable {
  readonly type: "table";
  readonly alignments: readonly (MarkdownAlignment | undefined)[];
  readonly header: RowDraft;
  rows: RowDraft[];
}

/** The blocks that are open after a line; everything before them is drafts. */
export interface BlockState {
  readonly document: OpenDocument;
  containers: OpenContainer[];
  leaf: OpenLeaf | undefined;
  /** The line being added may still grow. */
  readonly isLineOpen: boolean;
  /** Called once for each link reference definition, in order. */
  readonly onDefinition: (definition: Definition) => void;
}

export function createBlockState(onDefinition: BlockState["onDefinition"]): BlockState {
  return {
    document: { type: "document", children: [], endsBlank: false },
    containers: [],
    leaf: undefined,
    isLineOpen: false,
    onDefinition,
  };
}

/** A state that goes its own way from here; drafts are shared. */
export function forkBlockState(
  state: BlockState,
  options: Pick<BlockState, "isLineOpen" | "onDefinition">,
): BlockState {
  return {
    document: { ...state.document, children: [...state.document.children] },
    containers: state.containers.map(forkContainer),
    leaf: forkLeaf(state.leaf),
    ...options,
  };
}

function forkLeaf(leaf: OpenLeaf | undefined): OpenLeaf | undefined {
  return leaf?.type === "table" ? { ...leaf, rows: [...leaf.rows] } : leaf && { ...leaf };
}

function forkContainer(container: OpenContainer): OpenContainer {
  return container.type === "list"
    ? { ...container, items: [...container.items] }
    : { ...container, children: [...container.children] };
}

/** The block that new children go into. */
export function parentOf(state: BlockState): OpenDocument | OpenQuote | OpenItem {
  const innermost = state.containers.at(-1) ?? state.document;
  if (innermost.type !== "list") return innermost;
  throw new Error("A list has no children but items; close it before adding a block.");
}
