import type { Session } from "@turnwire/client";
import { Transcript } from "../chat/transcript.ts";
import type { OutputStream } from "../terminal/stream.ts";
import { formatFor } from "../terminal/format.ts";
import { safeLine } from "../terminal/safe-text.ts";
import { wrap } from "../terminal/wrap.ts";

/** Shows a person what the agents do meanwhile; where there is no terminal, nothing. */
export class Progress {
  readonly #output: OutputStream;
  readonly #env: NodeJS.ProcessEnv;
  readonly isShown: boolean;

  constructor(output: OutputStream, env: NodeJS.ProcessEnv, isShown: boolean) {
    this.#output = output;
    this.#env = env;
    this.isShown = isShown;
  }

  /** A line of the run's own. */
  note(text: string): void {
    if (!this.isShown) return;
    const { colors, width } = formatFor(this.#output, this.#env);
    for (const line of wrap(colors.dim(safeLine(text)), width)) this.#output.write(`${line}\n`);
  }

  /** The beginning of a step. */
  heading(text: string, link: string): void {
    if (!this.isShown) return;
    const { colors, width } = formatFor(this.#output, this.#env);
    const lines = wrap(colors.bold(safeLine(text)), width);
    this.#output.write(`\n${lines.join("\n")}\n`);
    this.link(link);
  }

  /** An address on a line of its own, however long: terminals open it by a click. */
  link(address: string): void {
    if (!this.isShown) return;
    const { colors } = formatFor(this.#output, this.#env);
    this.#output.write(`${colors.cyan(safeLine(address))}\n`);
  }

  /** Prints what becomes final in a session from now on, until the returned function is called. */
  follow(session: Session): () => void {
    if (!this.isShown) return () => undefined;
    const transcript = new Transcript();
    transcript.skipAllBut(0, session.getState().session);
    return session.subscribe(() => {
      const format = formatFor(this.#output, this.#env);
      const { lines } = transcript.advance(session.getState().session, format);
      for (const line of lines) this.#output.write(`${line}\n`);
    });
  }
}
