/**
 * Promise: no event is larger than MAX_EVENT_BYTES, and nothing is lost by that. The largest parts
 * of an oversized event are stored beside the log; the event names them and has previews in their places.
 */
import {
  type Attachment,
  type JsonObject,
  type JsonValue,
  MAX_EVENT_BYTES,
  pointerName,
  replaceAt,
  type SessionEvent,
} from "@turnwire/protocol";
import { previewOf, previewText } from "./preview.ts";
import type { NewAttachment } from "./store.ts";
import { jsonBytes, storedPart, type Part, type StoredPart } from "./stored-part.ts";

/** An event as it goes into the log, with what is stored beside it. */
export interface BoundEvent {
  readonly event: SessionEvent;
  readonly json: string;
  readonly attachments: readonly NewAttachment[];
}

/** Leaves room for a longer seq: a copy of a bounded event in another log is within the limit too. */
const TARGET_BYTES = MAX_EVENT_BYTES - 64;
/** A shorter text is not worth a place of its own. */
const MIN_TEXT_LENGTH = 2048;
const MAX_TEXTS = 128;
/** Characters of the longest preview, and of all previews of an event. */
const MAX_PREVIEW_LENGTH = 8 * 1024;
const ALL_PREVIEWS_LENGTH = 32 * 1024;
const FIELD_PREVIEW_LENGTH = 1024;

const none: readonly NewAttachment[] = [];

/** The event as it is if it is small enough, else with its largest parts stored beside the log. */
export function boundEvent(event: SessionEvent): BoundEvent {
  let json: string;
  try {
    json = JSON.stringify(event);
  } catch (error) {
    return notWritten(event, String(error));
  }
  if (!isOversized(json)) return { event, json, attachments: shared(event) };
  const kept = isApplied(event) ? nativeFrom(event) : event;
  const excess = Buffer.byteLength(json) - TARGET_BYTES;
  return (
    written(kept, longTexts(kept.data as JsonObject, excess)) ??
    written(kept, largeFields(kept.data as JsonObject, excess)) ??
    notWritten(event, `it has ${Buffer.byteLength(json)} bytes that cannot be stored apart`)
  );
}

function isOversized(json: string): boolean {
  // A UTF-16 unit has at most three bytes, so most events need no second look.
  return json.length * 3 > MAX_EVENT_BYTES && Buffer.byteLength(json) > MAX_EVENT_BYTES;
}

/** The fold applies these to what is there, where a preview would pass for the value itself. */
function isApplied({ type, data }: SessionEvent): boolean {
  if (type === "component_update") return data.patches !== undefined;
  return type === "state_snapshot" || type === "state_delta" || type === "catalog_updated";
}

function nativeFrom({ type, data, ...place }: SessionEvent): SessionEvent {
  const payload = { type, data } as JsonValue;
  return { ...place, type: "native", data: { source: "turnwire", payload } };
}

/** What no JSON can carry (an agent's payload nested thousands deep) is replaced by an error that says so. */
function notWritten({ seq, ts, type }: SessionEvent, problem: string): BoundEvent {
  const message = `A ${type} event could not be written: ${problem}.`;
  const data = { code: "not_serializable", message, retryable: false };
  const event: SessionEvent = { seq, ts, type: "error", data };
  return { event, json: JSON.stringify(event), attachments: [] };
}

function written(whole: SessionEvent, parts: readonly StoredPart[]): BoundEvent | undefined {
  const data = parts.reduce<JsonValue>(
    (value, { attachment, preview }) => replaceAt(value, attachment.path, preview),
    whole.data as JsonObject,
  );
  const { seq, ts, attachments: earlier = [], ...rest } = whole;
  // In this order they are put back: a whole field before what is inside it.
  const attachments = [...parts.map(({ attachment }) => attachment), ...earlier];
  // A preview has the type of the whole value, so the data still fits the event's type.
  const event = { seq, ts, attachments, ...rest, data } as SessionEvent;
  const json = JSON.stringify(event);
  if (Buffer.byteLength(json) > TARGET_BYTES) return undefined;
  const contents = parts.map(({ attachment, content }) => ({
    digest: attachment.digest,
    size: attachment.size,
    mediaType: attachment.media_type,
    content,
  }));
  return { event, json, attachments: [...contents, ...shared(whole)] };
}

/** What a copied event names is in the store already. */
export function sharedAttachment({ digest, size, media_type }: Attachment): NewAttachment {
  return { digest, size, mediaType: media_type };
}

function shared({ attachments }: SessionEvent): readonly NewAttachment[] {
  return attachments === undefined ? none : attachments.map(sharedAttachment);
}

/** The longest texts, as many as must go. */
function longTexts(data: JsonObject, excess: number): StoredPart[] {
  const texts = textsIn(data)
    .toSorted((left, right) => right.value.length - left.value.length)
    .slice(0, MAX_TEXTS);
  const length = Math.min(MAX_PREVIEW_LENGTH, Math.floor(ALL_PREVIEWS_LENGTH / texts.length));
  return taken(texts, excess, ({ value }) => previewText(value, length));
}

/** The largest fields as a whole: what has many small values, or long names, has no long texts to take out. */
function largeFields(data: JsonObject, excess: number): StoredPart[] {
  const fields = Object.entries(data)
    .map(([name, value]) => ({ path: `/${pointerName(name)}`, value, owner: data }))
    .map((part) => ({ part, bytes: jsonBytes(part.value) }))
    .toSorted((left, right) => right.bytes - left.bytes)
    .map(({ part }) => part);
  return taken(fields, excess, ({ value }) => previewOf(value, FIELD_PREVIEW_LENGTH));
}

function taken<Taken extends Part>(
  parts: readonly Taken[],
  excess: number,
  previewFor: (part: Taken) => JsonValue,
): StoredPart[] {
  const stored: StoredPart[] = [];
  let left = excess;
  for (const part of parts) {
    if (left <= 0) break;
    const next = storedPart(part, previewFor(part));
    if (next.gain <= 0) continue;
    stored.push(next);
    left -= next.gain;
  }
  return stored;
}

function textsIn(data: JsonObject): (Part & { readonly value: string })[] {
  const texts: (Part & { readonly value: string })[] = [];
  const open: { readonly path: string; readonly value: JsonValue }[] = [{ path: "", value: data }];
  for (let next = open.pop(); next; next = open.pop()) {
    const owner = next.value;
    if (typeof owner !== "object" || owner === null) continue;
    for (const [name, value] of Object.entries(owner)) {
      const isText = typeof value === "string" && value.length >= MIN_TEXT_LENGTH;
      if (!isText && (typeof value !== "object" || value === null)) continue;
      const path = `${next.path}/${pointerName(name)}`;
      if (isText) texts.push({ path, value, owner });
      else open.push({ path, value });
    }
  }
  return texts;
}
