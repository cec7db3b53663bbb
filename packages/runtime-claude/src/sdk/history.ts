import type { SDKSessionInfo } from "@anthropic-ai/claude-agent-sdk";
import { draft, type EventDraft } from "@turnwire/protocol";
import * as z from "zod";
import type { MissedTurnQuery, RuntimeHistory, TimedDraft } from "@turnwire/runtime";
import { claudeNormalizer } from "../normalize/normalize.ts";
import { positionFromId, readPosition } from "../transcript/position.ts";
import type { ClaudeRuntimeOptions } from "./runtime-options.ts";
import { resumeCommand } from "../transcript/resume-command.ts";
import { mirrorFor } from "../transcript/resumption.ts";
import { loadSdk } from "../setting/sdk.ts";
import { isPrompt, readTranscript, type TranscriptMessage } from "../transcript/transcript.ts";

const maxListed = 200;

/** What the Claude CLI wrote down on this machine, whoever used it. */
export function claudeHistory(options: Pick<ClaudeRuntimeOptions, "env">): RuntimeHistory {
  return {
    async list() {
      const { listSessions } = await loadSdk();
      const sessions = await listSessions({ limit: maxListed });
      return sessions.map(pastSession);
    },
    async read(providerSessionId) {
      const messages = await readTranscript(await loadSdk(), positionFromId(providerSessionId));
      return messages.length === 0 ? undefined : eventsFromTranscript(messages);
    },
    listedId: (providerSessionId) =>
      readPosition(providerSessionId)?.sessionId ?? providerSessionId,
    readExternal: (query) => readExternal(query, options),
  };
}

/** A transcript is read only if it was written to since, and the log only if it has later prompts. */
async function readExternal(
  query: MissedTurnQuery,
  options: Pick<ClaudeRuntimeOptions, "env">,
): Promise<TimedDraft[][]> {
  const position = positionFromId(query.providerSessionId);
  const { sessionId, after, isStart } = position;
  // After a rollback the agent continues where it was cut: what follows there is not its past.
  if (isStart || after !== undefined) return [];
  const sdk = await loadSdk();
  const info = await sdk.getSessionInfo(sessionId);
  if (!info || info.lastModified < Date.parse(query.since)) return [];
  const later = turnsSince(await readTranscript(sdk, position), query.since);
  if (later.length === 0) return [];
  const known = await query.knownTurnIds();
  const missed = later.filter(({ prompt }) => !known.has(prompt.uuid));
  if (missed.length === 0 || (await mirrorFor(options, query)?.isDiverged(sessionId))) return [];
  return missed.map(eventsFromTurn);
}

/**
 * The turns that began after a time. Older messages can stand among them, kept by a compaction, and
 * so can what the CLI wrote in a person's name.
 */
export function turnsSince(messages: readonly TranscriptMessage[], since: string): PastTurn[] {
  const sinceMs = Date.parse(since);
  return turnsOf(
    messages.filter(
      ({ is_meta, timestamp = "" }) => is_meta !== true && Date.parse(timestamp) > sinceMs,
    ),
  );
}

function pastSession({ sessionId, summary, lastModified, cwd }: SDKSessionInfo) {
  const place = { providerSessionId: sessionId, ...(cwd !== undefined && { cwd }) };
  return {
    provider_session_id: sessionId,
    title: summary.slice(0, 500),
    ...(cwd !== undefined && { cwd }),
    updated_at: new Date(lastModified).toISOString(),
    resume_command: resumeCommand(place) ?? `claude --resume ${sessionId}`,
  };
}

const Words = z.object({
  content: z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]),
});

/** The events that these messages would have made, had Turnwire been there. */
export function eventsFromTranscript(messages: readonly TranscriptMessage[]): TimedDraft[] {
  return turnsOf(messages).flatMap(eventsFromTurn);
}

function eventsFromTurn({ prompt, rest }: PastTurn): TimedDraft[] {
  const { uuid } = prompt;
  let ts = prompt.timestamp ?? new Date(0).toISOString();
  const said = { message_id: uuid, content: contentOf(prompt), delivery: "turn" as const };
  const events: TimedDraft[] = [
    { ...draft("user_message", said), ts },
    { ...draft("turn_started", { turn_id: uuid, message_id: uuid }, { turn_id: uuid }), ts },
  ];
  const keep = (drafts: readonly EventDraft[]): void => {
    events.push(...drafts.map((event) => ({ turn_id: uuid, ...event, ts })));
  };
  let state = claudeNormalizer.initial();
  for (const native of [{ type: "turnwire/turn_sent", turn_id: uuid, uuid }, ...rest]) {
    if ("timestamp" in native) ts = native.timestamp ?? ts;
    const [next, drafts] = claudeNormalizer.step(state, native);
    state = next;
    keep(drafts);
  }
  keep(claudeNormalizer.end(state, { type: "closed" }));
  keep([
    draft("result", { turn_id: uuid, subtype: "success", is_error: false }),
    draft("done", { turn_id: uuid }),
  ]);
  return events;
}

interface PastTurn {
  readonly prompt: TranscriptMessage;
  readonly rest: readonly TranscriptMessage[];
}

/** What stands before the first prompt, such as a summary, belongs to no turn. */
function turnsOf(messages: readonly TranscriptMessage[]): PastTurn[] {
  const starts = messages.flatMap((message, index) => (isPrompt(message) ? [index] : []));
  return starts.flatMap((start, index) => {
    const prompt = messages[start];
    const rest = messages
      .slice(start + 1, starts[index + 1])
      .filter(({ type }) => type !== "system");
    return prompt ? [{ prompt, rest }] : [];
  });
}

/** What was said; files are named, not copied. */
function contentOf({ message }: TranscriptMessage): { type: "text"; text: string }[] {
  const words = Words.safeParse(message);
  const { content } = words.success ? words.data : { content: "" };
  if (typeof content === "string") return [{ type: "text", text: content }];
  return content.map((block) => ({
    type: "text",
    text: typeof block["text"] === "string" ? block["text"] : `[${block.type}]`,
  }));
}
