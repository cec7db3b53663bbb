import type { SessionKey, SessionStore, SessionStoreEntry } from "@anthropic-ai/claude-agent-sdk";
import type { TranscriptKey } from "@turnwire/log";
import type { TranscriptPort } from "@turnwire/runtime";
import { TranscriptFiles } from "./transcript-file.ts";
import { lineFromEntry } from "./transcript-line.ts";
import { planSync, type TranscriptLines } from "./transcript-sync.ts";

export interface TranscriptMirrorOptions {
  readonly port: TranscriptPort;
  /** Where the CLI writes transcripts on this machine. */
  readonly projects: string;
  readonly cwd: string;
}

/** How many lines are stored at once, at most. */
const maxLines = 500;

/**
 * The transcripts of a run, in the store as the CLI writes them on this machine. Promise: what the
 * store has is always the beginning of what was written, without a hole; lines that could not be stored
 * are read from the file and stored before any later one. A hole would cut off all that came before it.
 */
export class TranscriptMirror implements SessionStore {
  readonly #options: TranscriptMirrorOptions;
  /** Transcripts of which the store lacks lines. */
  readonly #behind = new Set<string>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: TranscriptMirrorOptions) {
    this.#options = options;
  }

  append(key: SessionKey, entries: SessionStoreEntry[]): Promise<void> {
    return this.#inTurn(() =>
      this.#append(
        keyFrom(key),
        entries.map((entry) => lineFromEntry(entry)),
      ),
    );
  }

  /** All that is known of a transcript, on this machine or in the store. */
  async load(key: SessionKey): Promise<SessionStoreEntry[] | null> {
    const { local, stored, plan } = await this.#compare(keyFrom(key));
    const lines = plan.type === "pull" ? stored : local;
    return lines?.map(({ text }): SessionStoreEntry => JSON.parse(text)) ?? null;
  }

  async listSubkeys({ sessionId }: { sessionId: string }): Promise<string[]> {
    return [...(await this.#options.port.listParts(sessionId))];
  }

  /** Whether others have continued a conversation that was also continued on this machine, apart from them. */
  async isDiverged(conversation: string): Promise<boolean> {
    const { plan } = await this.#compare({ conversation });
    return plan.type === "pull" && plan.isDiverged;
  }

  /** Makes this machine and the store agree, before a process continues here. False when neither has the conversation. */
  prepare(conversation: string): Promise<boolean> {
    return this.#inTurn(() => this.#prepare(conversation));
  }

  async #prepare(conversation: string): Promise<boolean> {
    if (!(await this.#sync({ conversation }))) return false;
    const local = await (await this.#files(conversation)).listParts();
    const parts = new Set([...local, ...(await this.#options.port.listParts(conversation))]);
    for (const part of [...parts].filter(isSafe)) await this.#sync({ conversation, part });
    return true;
  }

  /** False when there is nothing on either side. */
  async #sync(key: TranscriptKey): Promise<boolean> {
    const { files, stored = [], plan } = await this.#compare(key);
    if (plan.type === "push") await this.#store(key, plan.lines);
    if (plan.type === "pull") await files.write(key.part, stored, plan.isDiverged);
    return plan.type !== "missing";
  }

  async #append(key: TranscriptKey, lines: TranscriptLines): Promise<void> {
    const name = JSON.stringify(key);
    try {
      if (this.#behind.has(name)) await this.#catchUp(key);
      else await this.#store(key, lines);
      this.#behind.delete(name);
    } catch (error) {
      this.#behind.add(name);
      throw error;
    }
  }

  /** Stores what the file has and the store has not; the CLI has written there before it reported. */
  async #catchUp(key: TranscriptKey): Promise<void> {
    const { plan } = await this.#compare(key);
    if (plan.type === "push") await this.#store(key, plan.lines);
  }

  async #compare(key: TranscriptKey) {
    const files = await this.#files(key.conversation);
    const local = await files.read(key.part);
    const stored = await this.#options.port.load(key);
    return { files, local, stored, plan: planSync(local, stored) };
  }

  async #store(key: TranscriptKey, lines: TranscriptLines): Promise<void> {
    for (let start = 0; start < lines.length; start += maxLines) {
      await this.#options.port.append(key, lines.slice(start, start + maxLines));
    }
  }

  #files(conversation: string): Promise<TranscriptFiles> {
    const { projects, cwd } = this.#options;
    return TranscriptFiles.find(projects, conversation, cwd);
  }

  /** One after the other: two processes of a run may write at once while one replaces the other. */
  #inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }
}

function keyFrom({ sessionId, subpath }: SessionKey): TranscriptKey {
  return { conversation: sessionId, ...(subpath !== undefined && { part: subpath }) };
}

/** Whether a part's name stays inside of the conversation's folder. */
function isSafe(part: string): boolean {
  return part.split("/").every((name) => /^[\w.-]+$/.test(name) && name !== "." && name !== "..");
}
