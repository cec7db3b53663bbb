import type { TranscriptLine } from "@turnwire/log";
import type { ContentBlock } from "@turnwire/protocol";
import * as z from "zod";
import { type LostInput, retellConversation, type RunOptions } from "@turnwire/runtime";
import type { Environment } from "../setting/environment.ts";
import { boundContent } from "./bound-content.ts";
import { steerId, turnMessageId } from "./input.ts";
import type { Position } from "./position.ts";
import { transcriptFiles } from "./transcript-file.ts";

/** What goes to the agent before the next message, and what the log says of it. */
export interface RepeatedInputs {
  readonly content: readonly ContentBlock[];
  readonly notice: string;
}

type LostRun = Pick<RunOptions, "cwd" | "unfinishedTurns" | "conversation">;

const nothingLost = { inputs: [], isWhole: true };

/**
 * Repeats what was said in lost turns, as far as the CLI has no record of it: it writes its lines up to
 * 100 ms after it has read them (2.1.325), and a host may die before they are stored. Promise: whatever
 * was said in the conversation is known to the agent from its next turn on, as far as a message can carry
 * it, and no lost turn is run again. That holds too where the CLI has no record of the conversation at all.
 */
export class LostInputs {
  readonly #environment: Environment;
  readonly #run: LostRun;
  #isDue = true;

  constructor(environment: Environment, run: LostRun) {
    this.#environment = environment;
    this.#run = run;
  }

  /** Another process has started: after a rollback it may have forgotten what was repeated. */
  renew(): void {
    this.#isDue = true;
  }

  /** Once for each process, for a process that continues at the position. */
  async take(position: Position | undefined): Promise<RepeatedInputs | undefined> {
    if (!this.#isDue) return undefined;
    const { inputs, isWhole } = (await this.#run.unfinishedTurns?.()) ?? nothingLost;
    if (!isWhole && (!position || position.isStart)) {
      const retold = retellConversation((await this.#run.conversation?.()) ?? []);
      this.#isDue = false;
      if (retold) return { content: [text(retold.text)], notice: retold.notice };
    }
    const unrecorded =
      inputs.length === 0 ? inputs : unrecordedInputs(inputs, await this.#recorded(position));
    this.#isDue = false;
    return unrecorded.length === 0 ? undefined : repeatInputs(unrecorded);
  }

  async #recorded(position: Position | undefined): Promise<ReadonlySet<string>> {
    if (!position || position.isStart) return new Set();
    const files = await transcriptFiles(this.#environment, position.sessionId, this.#run.cwd);
    return recordedIds((await files.read()) ?? [], position.after);
  }
}

/** What follows the last input of which there is a record: with that one, all before it were repeated. */
export function unrecordedInputs(
  inputs: readonly LostInput[],
  recorded: ReadonlySet<string>,
): readonly LostInput[] {
  const last = inputs.findLastIndex((input) => recorded.has(recordId(input)));
  return inputs.slice(last + 1);
}

function recordId({ isSteer, turnId, messageId }: LostInput): string {
  return isSteer ? steerId(messageId) : turnMessageId(turnId);
}

/** How a line names the message that it records: as itself, as what joined a turn, or as what it was copied from. */
const Recorded = z.object({
  uuid: z.string().optional(),
  attachment: z.object({ source_uuid: z.string().optional() }).optional().catch(undefined),
  forkedFrom: z.object({ messageUuid: z.string().optional() }).optional().catch(undefined),
});

/** The messages of which a transcript has a record, up to a line where one is given. */
export function recordedIds(lines: readonly TranscriptLine[], after?: string): ReadonlySet<string> {
  const end = after === undefined ? -1 : lines.findIndex(({ id }) => id === after);
  const counting = end < 0 ? lines : lines.slice(0, end + 1);
  return new Set(
    counting.flatMap(({ text }) => {
      const { data } = Recorded.safeParse(JSON.parse(text));
      const ids = [data?.uuid, data?.attachment?.source_uuid, data?.forkedFrom?.messageUuid];
      return ids.filter((id) => id !== undefined);
    }),
  );
}

const opening =
  "The user said the following earlier, in a turn that was cut off before you could record it. " +
  "Some of it may have been done already. It is repeated only so that you know of it: do not act on it " +
  "unless the user asks for it again.";
const closing = "This was what you had no record of. Now the user says:";

/** What was said, set apart from what is said now. */
export function repeatInputs(inputs: readonly LostInput[]): RepeatedInputs {
  const said = inputs.flatMap(({ content, context }) => [
    ...(context === undefined ? [] : [text(`Context from the user interface: ${json(context)}`)]),
    ...content,
  ]);
  const { content: fitting, isWhole } = boundContent(said);
  const turns = new Set(inputs.map(({ turnId }) => turnId)).size;
  const where = turns === 1 ? "the turn that was lost" : `the ${turns} turns that were lost`;
  return {
    content: [text(opening), ...fitting, text(closing)],
    notice: `The agent has no record of what was said in ${where}. It gets ${isWhole ? "that" : "as much of that as it can take"} with this message, as context: nothing of it is run again.`,
  };
}

function text(words: string): ContentBlock {
  return { type: "text", text: words };
}

function json(value: unknown): string {
  return JSON.stringify(value);
}
