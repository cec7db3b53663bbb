import { textFromContent, type Block, type UserMessage } from "@turnwire/protocol";

/** Estimates in pixels: rows are measured once they are in sight. */
const LINE = 24;
const FOLD = 30;
const PARAGRAPH_GAP = 12;
const CHARACTERS = 88;
const CARD = 160;

export const footerHeight = 44;

export function userHeight({ content, callback }: UserMessage): number {
  if (callback) return FOLD;
  const images = content.filter(({ type }) => type !== "text").length;
  return 56 + textHeight(textFromContent(content)) + images * 200;
}

/** A row of blocks: one block, or consecutive tool calls. */
export function blockHeight(blocks: readonly Block[], type: "block" | "tools"): number {
  const [block] = blocks;
  if (block === undefined) return 0;
  switch (block.type) {
    case "text":
      return PARAGRAPH_GAP + textHeight(block.text);
    case "tool":
      if (type === "block") return CARD;
      return Math.min(blocks.filter(({ type }) => type === "tool").length, 4) * FOLD;
    case "thinking":
    case "subagent":
    case "notice":
      return FOLD;
    case "plan":
      return 80 + block.steps.length * 30;
    case "diff":
      return 60 + Math.min(block.unified.split("\n").length, 120) * 20;
    case "error":
      return 80;
    case "component":
      return CARD;
    default:
      return block.status === "open" ? CARD : FOLD;
  }
}

function textHeight(text: string): number {
  let lines = 0;
  for (const line of text.split("\n")) lines += Math.ceil(line.length / CHARACTERS) || 0.5;
  return lines * LINE;
}
