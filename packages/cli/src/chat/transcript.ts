import {
  type AgentMessage,
  type Block,
  type Component,
  isRequestBlock,
  type Message,
  type SessionState,
  type SubagentBlock,
} from "@turnwire/protocol";
import { amountText } from "../terminal/figure.ts";
import { type Format, indented } from "../terminal/format.ts";
import {
  type BlockProgress,
  type LeafBlock,
  subagentEnd,
  subagentHeading,
  unprinted,
  viewBlock,
} from "./block-view.ts";
import { Flow, type Piece, type PieceKind } from "./flow.ts";
import { endLines, userLines } from "./message-view.ts";
import { changedSurfaces, sideLines, surfaceLines } from "./side-view.ts";

/** What a change of the session's state adds to the screen. */
export interface TranscriptUpdate {
  /** Final: printed once, never touched again. */
  readonly lines: readonly string[];
  /** How what is not final looks by now; each update replaces the one before. */
  readonly live: readonly string[];
}

/** One update in the making. */
interface Sheet {
  readonly format: Format;
  readonly lines: string[];
  readonly live: Piece[];
}

/** Where a walk through blocks stands. */
interface Place {
  readonly scope: readonly SubagentBlock[];
  readonly isMessageOver: boolean;
}

const BAR_WIDTH = 2;

/**
 * A session's conversation as lines of text, from one state to the next. It does no I/O.
 * What runs does not hold back what is said meanwhile: a tool is printed when it is done.
 */
export class Transcript {
  readonly #flow = new Flow();
  readonly #progress = new Map<string, BlockProgress>();
  /** Ids of user messages that were printed and of agent messages whose end was. */
  readonly #printed = new Set<string>();
  readonly #surfaces = new Map<string, Component>();
  /** Agent messages that may still have something to show. */
  readonly #unsettled = new Set<string>();
  #messages: readonly Message[] = [];
  #notes = 0;
  #state: SessionState | undefined;

  /** Treats all but the newest messages as printed; answers how many those are. */
  skipAllBut(newest: number, state: SessionState): number {
    this.#messages = state.messages.slice(0, Math.max(0, state.messages.length - newest));
    return this.#messages.length;
  }

  /** Everything that is new since the last call. */
  advance(state: SessionState, format: Format): TranscriptUpdate {
    const sheet: Sheet = { format, lines: [], live: [] };
    this.#noteRollback(state, sheet);
    state.messages.forEach((message, index) => {
      if (message === this.#messages[index] && !this.#unsettled.has(message.id)) return;
      if (message.role === "agent") this.#showAgentMessage(message, sheet);
      else if (!this.#printed.has(message.id)) {
        this.#printed.add(message.id);
        this.#print(sheet, { key: message.id, kind: "user", lines: userLines(message, format) });
      }
    });
    this.#showSide(state, sheet);
    this.#messages = state.messages;
    this.#state = state;
    const preview = this.#flow.fork();
    return {
      lines: sheet.lines,
      live: sheet.live.flatMap((piece) => preview.lay(piece, format)),
    };
  }

  /** Lines of the chat's own, set apart from the conversation around them. */
  note(lines: readonly string[], format: Format): readonly string[] {
    this.#notes += 1;
    return this.#flow.lay({ key: `note-${this.#notes}`, kind: "aside", scope: [], lines }, format);
  }

  #showAgentMessage(message: AgentMessage, sheet: Sheet): void {
    const liveBefore = sheet.live.length;
    this.#showBlocks(message.blocks, { scope: [], isMessageOver: message.done }, sheet);
    const isSettled = message.done && sheet.live.length === liveBefore;
    if (isSettled) this.#unsettled.delete(message.id);
    else this.#unsettled.add(message.id);
    const end = endLines(message, sheet.format);
    if (end.length === 0 || this.#printed.has(message.id)) return;
    this.#printed.add(message.id);
    this.#print(sheet, { key: message.id, kind: "end", lines: end });
  }

  #showBlocks(blocks: readonly Block[], place: Place, sheet: Sheet): void {
    blocks.forEach((block, index) => {
      if (block.type === "subagent") this.#showSubagent(block, place, sheet);
      else {
        const isOver = place.isMessageOver || index < blocks.length - 1;
        this.#showBlock(block, { ...place, isOver }, sheet);
      }
    });
  }

  #showBlock(block: LeafBlock, place: Place & { isOver: boolean }, sheet: Sheet): void {
    const { scope, isOver, isMessageOver } = place;
    const format = indented(sheet.format, scope.length * BAR_WIDTH);
    const progress = this.#progress.get(block.key) ?? unprinted;
    const view = viewBlock(block, progress, { format, isOver, isMessageOver });
    this.#progress.set(block.key, view.progress);
    const piece = { key: block.key, kind: kindOf(block), scope };
    this.#print(sheet, { ...piece, lines: view.lines });
    if (view.live.length > 0) sheet.live.push({ ...piece, lines: view.live });
  }

  #showSubagent(block: SubagentBlock, { scope, isMessageOver }: Place, sheet: Sheet): void {
    if (this.#progress.get(block.key)?.printed === block) return;
    const { format } = sheet;
    const end = subagentEnd(block, format);
    const liveBefore = sheet.live.length;
    const isOver = isMessageOver || end !== undefined;
    this.#showBlocks(block.blocks, { scope: [...scope, block], isMessageOver: isOver }, sheet);
    if (!end) {
      const piece = { key: block.key, kind: "action", scope } as const;
      const isIdle = sheet.live.length === liveBefore;
      if (isIdle) sheet.live.push({ ...piece, lines: [subagentHeading(block, format)] });
      return;
    }
    if (!this.#progress.get(block.key)?.printed) {
      this.#print(sheet, { key: block.key, kind: "action", scope, lines: [end] });
    }
    this.#progress.set(block.key, { ...unprinted, printed: block });
  }

  #showSide(state: SessionState, sheet: Sheet): void {
    const { format } = sheet;
    if (this.#state && this.#state !== state) {
      const lines = sideLines(this.#state, state, format);
      this.#print(sheet, { key: `side-${state.seq}`, kind: "note", lines });
    }
    const changed = changedSurfaces(state, this.#surfaces);
    const isWhole = state.turn === null;
    const lines = surfaceLines(changed, format, { isWhole });
    const piece = { key: `surfaces-${state.seq}`, kind: "box" } as const;
    if (!isWhole) sheet.live.push({ ...piece, scope: [], lines });
    else {
      for (const component of changed) this.#surfaces.set(component.component_id, component);
      this.#print(sheet, { ...piece, lines });
    }
  }

  #noteRollback(state: SessionState, sheet: Sheet): void {
    const taken = this.#messages.length - state.messages.length;
    if (taken <= 0) return;
    const words = `↶ rolled back: ${amountText(taken, "message")} taken back`;
    const lines = [sheet.format.colors.yellow(words)];
    this.#print(sheet, { key: `rollback-${state.seq}`, kind: "note", lines });
  }

  #print(sheet: Sheet, piece: Omit<Piece, "scope"> & Partial<Pick<Piece, "scope">>): void {
    sheet.lines.push(...this.#flow.lay({ scope: [], ...piece }, sheet.format));
  }
}

function kindOf(block: LeafBlock): PieceKind {
  switch (block.type) {
    case "text":
    case "thinking":
      return "speech";
    case "tool":
      return "action";
    case "component":
    case "plan":
    case "diff":
      return "box";
    case "notice":
    case "error":
      return "note";
    default:
      return isRequestBlock(block) ? "request" : (block satisfies never);
  }
}
