/** The connection that a Claude CLI has opened to us: lines of stream-json both ways. */
export interface CliLink {
  /** What the CLI writes, whole lines without their line breaks; ends when the connection does. Read once. */
  readonly lines: AsyncIterable<string>;
  /** Writes one line, given without its line break; resolves when there is room for more. Rejects when the connection is gone. */
  write(line: string): Promise<void>;
  /**
   * Closes the connection. The CLI dials in again after 1000, 1001, 1006 and 4999, and exits after 1002,
   * 4001 and 4003 (seen with 2.1.120). Safe to call twice; never rejects.
   */
  close(code?: number): Promise<void>;
  /** Where it comes from, for people: such as an address. */
  readonly description: string;
}
