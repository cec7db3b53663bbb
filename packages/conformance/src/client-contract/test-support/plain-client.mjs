// The smallest client that keeps the client contract: fetch, a line reader, nothing of ours.
import { createInterface } from "node:readline";

const url = process.env.TURNWIRE_URL;
const headers = { authorization: `Bearer ${process.env.TURNWIRE_TOKEN}` };
/** Faults that the contract must find, by name. */
const fault = process.env.PLAIN_CLIENT_FAULT ?? "";

async function post(path, json) {
  const answer = await fetch(url + path, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(json),
  });
  const body = await answer.json();
  return answer.ok ? { body } : { refusal: { error: { code: body.error.code } } };
}

/** Frames of one response, until it ends or breaks off. */
async function* framesOf(response) {
  const decoder = new TextDecoder();
  let text = "";
  try {
    for await (const chunk of response.body) {
      text += decoder.decode(chunk, { stream: true });
      const parts = text.split("\n\n");
      text = parts.pop();
      for (const part of parts) {
        const data = part.split("\n").find((line) => line.startsWith("data: "));
        if (data) yield JSON.parse(data.slice("data: ".length));
      }
    }
  } catch {
    // The connection broke off: the caller comes back.
  }
}

async function follow({ session_id, after, until }) {
  const outcome = { seq: 0, counts: {}, texts: {}, tools: {}, requests: {}, turns: [] };
  let position = after;
  let isAfterCut = false;
  for (;;) {
    const from = fault === "forgets its position" ? after : position;
    let response;
    try {
      response = await fetch(`${url}/sessions/${session_id}/events?after=${from}`, {
        headers: { ...headers, accept: "text/event-stream" },
      });
    } catch {
      continue;
    }
    if (!response.ok) return { error: { code: (await response.json()).error.code } };
    for await (const event of framesOf(response)) {
      if (event.seq <= position && fault === "") continue;
      position = event.seq;
      const isLost = fault === "loses the first event after a cut" && isAfterCut;
      isAfterCut = false;
      if (isLost && event.type !== until.type) continue;
      take(outcome, event);
      if (outcome.counts[until.type] === until.count) return outcome;
    }
    isAfterCut = true;
  }
}

function take(outcome, { seq, type, data }) {
  const { counts, texts, tools, requests, turns } = outcome;
  outcome.seq = seq;
  counts[type] = (counts[type] ?? 0) + 1;
  const turn = turns.find(({ turn_id }) => turn_id === data.turn_id);
  const id = data.correlation_id ?? data.interrupt_id;
  if (type === "delta" && data.text)
    texts[data.message_id] = (texts[data.message_id] ?? "") + data.text;
  if (type === "message_complete") {
    if (data.retracted) delete texts[data.message_id];
    const text = data.message.content
      .map((part) => (part.type === "text" ? part.text : ""))
      .join("");
    if (text) texts[data.message_id] ??= text;
  }
  if (type === "tool_start") tools[data.tool_use_id] = "running";
  if (type === "tool_result") tools[data.tool_use_id] = data.is_error ? "error" : "ok";
  if (type === "turn_started") turns.push({ turn_id: data.turn_id, subtype: null, is_done: false });
  if (type === "result" && turn) turn.subtype = data.subtype;
  if (type === "done" && turn) turn.is_done = true;
  if (type.endsWith("_request") || type === "interrupt") requests[id] = "open";
  if (type.endsWith("_resolved")) requests[id] = data.outcome;
}

async function answerTo(call) {
  const session = `/sessions/${call.session_id}`;
  switch (call.do) {
    case "create": {
      const { body, refusal } = await post("/sessions", { session_id: call.session_id });
      return refusal ?? { session_id: body.session_id };
    }
    case "send": {
      const { text: message, client_message_id } = call;
      const { body, refusal } = await post(`${session}/message`, { message, client_message_id });
      return (
        refusal ?? {
          seq: body.seq,
          message_id: body.message_id,
          duplicate: body.duplicate ?? false,
        }
      );
    }
    case "respond": {
      const { correlation_id, behavior } = call;
      const json = { type: "permission_response", correlation_id, behavior };
      const { body, refusal } = await post(`${session}/commands`, json);
      return refusal ?? { seq: body.seq };
    }
    case "follow":
      return follow(call);
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(await answerTo(JSON.parse(line))));
}
