import type { WriteStream } from "node:tty";

const refreshMs = 250;
const clear = "\r\u001B[K";

/** The last line of a terminal, redrawn as the run continues; other output goes above it. */
export class StatusLine {
  readonly #stream: WriteStream;
  readonly #text: () => string;
  #timer: NodeJS.Timeout | undefined;

  constructor(stream: WriteStream, text: () => string) {
    this.#stream = stream;
    this.#text = text;
  }

  start(): void {
    this.stop();
    this.#timer = setInterval(() => this.#draw(), refreshMs);
    this.#timer.unref();
  }

  stop(): void {
    if (this.#timer === undefined) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#stream.write(clear);
  }

  writeAbove(write: () => void): void {
    if (this.#timer === undefined) return write();
    this.#stream.write(clear);
    write();
    this.#draw();
  }

  #draw(): void {
    this.#stream.write(clear + this.#text().slice(0, this.#stream.columns - 1));
  }
}
