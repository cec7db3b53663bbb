import { dialectContract } from "@turnwire/conformance";
import { lines } from "./lines.ts";

dialectContract("lines", {
  createDialect: () => lines,
  /** The newest line of each message that was not taken back. */
  view(frames) {
    const said = new Map<string, string>();
    for (const { data } of frames) {
      const { id, text } = JSON.parse(data);
      if (text === undefined) said.delete(id);
      else said.set(id, text);
    }
    return said;
  },
  inputs: [{ input: { text: "hello" }, command: { type: "user_message", content: "hello" } }],
});
