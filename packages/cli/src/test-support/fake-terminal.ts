import { PassThrough } from "node:stream";
import type { InputStream } from "../terminal/stream.ts";

/** Keys that a person presses, as a terminal sends them. */
export const keys = {
  enter: "\r",
  interrupt: "\u0003",
  end: "\u0004",
  tab: "\t",
  up: "\u001b[A",
  left: "\u001b[D",
  pasteStart: "\u001b[200~",
  pasteEnd: "\u001b[201~",
};

/** A keyboard: whatever is written to it was typed. */
export function createKeyboard(): PassThrough & InputStream {
  const keyboard: PassThrough & InputStream = new PassThrough();
  keyboard.isTTY = true;
  keyboard.setRawMode = () => keyboard;
  return keyboard;
}
