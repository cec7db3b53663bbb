/** One server-sent event. */
export interface SseFrame {
  /** Where a reader that saw this frame stands; a frame without one keeps the id before it. */
  readonly id?: string;
  readonly event?: string;
  readonly data: string;
  /** How long to wait before coming back, in milliseconds. */
  readonly retry?: number;
}

/** Reads `text/event-stream` as WHATWG defines it, however the text is cut into chunks. */
export interface SseDecoder {
  /** The frames that this chunk completes. Lines without a blank line after them are never a frame. */
  push(chunk: string): SseFrame[];
  /** The newest id, also of blocks without data; empty before the first. */
  readonly lastEventId: string;
  /** The newest waiting time the server asked for, in milliseconds. */
  readonly retryMs: number | undefined;
}

/**
 * A frame as text. Data may hold anything: its line breaks of any kind become `\n`.
 * Without data it is a hint (`retry`, `id`) that readers act on but do not see as an event.
 * Throws a RangeError where an id, an event name or a waiting time cannot be written.
 */
export function encodeSseFrame(frame: Omit<SseFrame, "data"> & { readonly data?: string }): string {
  let text = "";
  if (frame.id !== undefined) text += `id: ${singleLine("id", frame.id)}\n`;
  if (frame.event !== undefined) text += `event: ${singleLine("event", frame.event)}\n`;
  if (frame.retry !== undefined) text += `retry: ${milliseconds(frame.retry)}\n`;
  if (frame.data !== undefined) text += dataLines(frame.data);
  return `${text}\n`;
}

/** Text that keeps a connection warm and that no reader sees. */
export function encodeSseComment(comment: string): string {
  return `${linesOf(comment)
    .map((line) => `: ${line}\n`)
    .join("")}\n`;
}

/** A decoder for one response; a new connection needs a new one. */
export function createSseDecoder(): SseDecoder {
  const block = createBlock();
  let isStarted = false;
  let partial = "";
  let isAfterCarriageReturn = false;

  function push(chunk: string): SseFrame[] {
    const frames: SseFrame[] = [];
    if (chunk === "") return frames;
    let start = 0;
    if (!isStarted && chunk.startsWith("\uFEFF")) start = 1;
    else if (isAfterCarriageReturn && chunk.startsWith("\n")) start = 1;
    isStarted = true;
    isAfterCarriageReturn = false;
    let lineFeed = chunk.indexOf("\n", start);
    let carriageReturn = chunk.indexOf("\r", start);
    while (lineFeed >= 0 || carriageReturn >= 0) {
      const endsInReturn = carriageReturn >= 0 && (lineFeed < 0 || carriageReturn < lineFeed);
      const end = endsInReturn ? carriageReturn : lineFeed;
      const frame = block.line(partial + chunk.slice(start, end));
      if (frame) frames.push(frame);
      partial = "";
      start = endsInReturn && lineFeed === end + 1 ? end + 2 : end + 1;
      isAfterCarriageReturn = endsInReturn && start === chunk.length && lineFeed !== end + 1;
      if (lineFeed >= 0 && lineFeed < start) lineFeed = chunk.indexOf("\n", start);
      if (carriageReturn >= 0 && carriageReturn < start) {
        carriageReturn = chunk.indexOf("\r", start);
      }
    }
    partial += chunk.slice(start);
    return frames;
  }

  return {
    push,
    get lastEventId() {
      return block.lastEventId;
    },
    get retryMs() {
      return block.retryMs;
    },
  };
}

/** The lines between two blank ones; a blank line makes them a frame if there was data. */
function createBlock() {
  let event = "";
  let data: string | undefined;
  let id = "";
  let lastEventId = "";
  let retry: number | undefined;
  let retryMs: number | undefined;

  function field(name: string, value: string): void {
    if (name === "data") data = data === undefined ? value : `${data}\n${value}`;
    else if (name === "event") event = value;
    else if (name === "id" && !value.includes("\0")) id = value;
    else if (name === "retry" && /^\d+$/.test(value)) {
      retry = Number(value);
      retryMs = retry;
    }
  }

  function end(): SseFrame | undefined {
    lastEventId = id;
    const frame: SseFrame | undefined =
      data === undefined
        ? undefined
        : {
            ...(id !== "" && { id }),
            ...(event !== "" && { event }),
            data,
            ...(retry !== undefined && { retry }),
          };
    event = "";
    data = undefined;
    retry = undefined;
    return frame;
  }

  return {
    line(line: string): SseFrame | undefined {
      if (line === "") return end();
      const colon = line.indexOf(":");
      if (colon < 0) field(line, "");
      else if (colon > 0) {
        field(line.slice(0, colon), line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1));
      }
      return undefined;
    },
    get lastEventId() {
      return lastEventId;
    },
    get retryMs() {
      return retryMs;
    },
  };
}

function dataLines(data: string): string {
  if (!data.includes("\n") && !data.includes("\r")) return `data: ${data}\n`;
  return linesOf(data)
    .map((line) => `data: ${line}\n`)
    .join("");
}

function linesOf(text: string): string[] {
  return text.split(/\r\n|\r|\n/);
}

/** Nearly every id and name; asked first, because classes of Unicode cost more than the rest of a frame. */
const plainWord = /^[\w.-]*$/;

function singleLine(field: "event" | "id", value: string): string {
  if (!plainWord.test(value) && /[\p{Cc}\u2028\u2029]/u.test(value)) {
    throw new RangeError(
      `an SSE ${field} cannot hold control characters: ${JSON.stringify(value)}`,
    );
  }
  return value;
}

function milliseconds(retry: number): number {
  if (!Number.isSafeInteger(retry) || retry < 0) {
    throw new RangeError(`an SSE retry is whole milliseconds, not ${retry}`);
  }
  return retry;
}
