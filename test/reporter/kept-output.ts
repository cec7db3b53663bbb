const longestLine = 2000;

/** The last lines that a test file wrote, each under the name of its stream and test. */
export class KeptOutput {
  readonly #limit: number;
  #lines: string[] = [];
  #dropped = 0;
  #source = "";

  constructor(limit = 100) {
    this.#limit = limit;
  }

  add(source: string, text: string): void {
    if (source !== this.#source) this.#push(`--- ${source}`);
    this.#source = source;
    for (const line of text.replace(/\n$/, "").split("\n")) this.#push(line);
  }

  /** Returns what was kept and starts again from nothing. */
  take(): string[] {
    const dropped = this.#dropped > 0 ? [`... ${this.#dropped} earlier lines left out`] : [];
    const lines = [...dropped, ...this.#lines];
    this.#lines = [];
    this.#dropped = 0;
    this.#source = "";
    return lines;
  }

  #push(line: string): void {
    this.#lines.push(line.length > longestLine ? `${line.slice(0, longestLine)}...` : line);
    if (this.#lines.length <= this.#limit) return;
    this.#lines.shift();
    this.#dropped += 1;
  }
}
