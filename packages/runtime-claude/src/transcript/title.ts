import type { Position } from "./position.ts";

/** What the provider knows of a session's title. */
interface ProviderTitle {
  /** What a person called it in a terminal, else what the CLI made of the conversation. */
  readonly customTitle?: string | undefined;
  readonly firstPrompt?: string | undefined;
}

export interface TitlePorts {
  readonly rename: (sessionId: string, title: string) => Promise<void>;
  readonly read: (sessionId: string) => Promise<ProviderTitle | undefined>;
  /** The provider has a title, and no person gave the session another. */
  readonly onTitle: (title: string) => void;
}

/**
 * Keeps the titles of our session and of the provider's the same. What a person chose wins; a title
 * that only repeats the beginning of the first message gives way to one that the provider has.
 */
export class Title {
  readonly #ports: TitlePorts;
  #wanted: string | undefined;
  #passed: string | undefined;
  #taken: string | undefined;

  constructor(ports: TitlePorts, wanted?: string) {
    this.#ports = ports;
    this.#wanted = wanted;
  }

  set(title: string): void {
    this.#wanted = title;
  }

  /** The provider knows a session only from its first turn on: before that nothing happens. */
  async pass(position: Position | undefined): Promise<void> {
    if (!position || position.isStart) return;
    const { sessionId } = position;
    const wanted = this.#wanted?.trim() ?? "";
    const passed = `${sessionId} ${wanted}`;
    if (passed === this.#passed) return;
    const known = await this.#ports.read(sessionId);
    if (wanted === "" || wanted === this.#taken || isBeginning(wanted, known?.firstPrompt)) {
      this.#take(known?.customTitle?.trim());
      return;
    }
    if (wanted !== known?.customTitle) await this.#ports.rename(sessionId, wanted);
    this.#passed = passed;
  }

  #take(title: string | undefined): void {
    if (!title || title === this.#taken) return;
    this.#taken = title;
    this.#wanted = title;
    this.#ports.onTitle(title.slice(0, MAX_LENGTH));
  }
}

const MAX_LENGTH = 500;

/** Whether a title is only the beginning of a text, either of them possibly cut with an ellipsis. */
function isBeginning(title: string, text: string | undefined): boolean {
  const [start, whole] = [title, text ?? ""].map((words) =>
    words.replace(/…$/, "").replaceAll(/\s+/g, " ").trim(),
  );
  if (!start || !whole) return false;
  return whole.startsWith(start) || start.startsWith(whole);
}
