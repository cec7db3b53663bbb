import { describe, expect, test } from "vitest";
import {
  choiceAfter,
  choiceAt,
  firstChoice,
  type TransportChoice,
  type TransportNews,
} from "./transport-choice.ts";

const now = 1_000_000;

function after(...news: TransportNews[]): TransportChoice {
  return news.reduce((choice, word) => choiceAfter(choice, word, now), firstChoice);
}

describe("the choice of a transport", () => {
  test("begins with WebSocket", () => {
    expect(choiceAt(firstChoice, now).type).toBe("websocket");
  });

  test("is SSE as soon as a WebSocket is blocked, where none has ever worked", () => {
    expect(after("blocked").type).toBe("sse");
  });

  test("gives WebSocket three chances in a row where one has worked", () => {
    expect(after("opened", "blocked", "blocked").type).toBe("websocket");
    expect(after("opened", "blocked", "blocked", "opened", "blocked").type).toBe("websocket");
    expect(after("opened", "blocked", "blocked", "blocked").type).toBe("sse");
  });

  test("tries WebSocket again after ten minutes, once", () => {
    const blocked = after("blocked");
    expect(choiceAt(blocked, now + 599_999).type).toBe("sse");
    const later = choiceAt(blocked, now + 600_000);
    expect(later.type).toBe("websocket");
    expect(choiceAfter(later, "blocked", now + 600_000).type).toBe("sse");
  });

  test("believes a WebSocket that opened after all", () => {
    expect(after("blocked", "opened").type).toBe("websocket");
    expect(after("blocked", "blocked").type).toBe("sse");
  });
});
