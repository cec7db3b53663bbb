import { expect, test } from "vitest";
import { SessionClaims } from "./session-claim.ts";

test("a provider session has one writer, until that one leaves or moves on", () => {
  const claims = new SessionClaims();
  const first = claims.take("a");
  expect(() => claims.take("a")).toThrow("Another session writes");
  first.move("b");
  const second = claims.take("a");
  first.leave();
  claims.take("b").leave();
  second.leave();
  claims.take("a").leave();
});

test("a new session takes its claim when its id is known", () => {
  const claims = new SessionClaims();
  const claim = claims.take(undefined);
  claim.move("a");
  expect(() => claims.take("a")).toThrow("a. Close it first.");
});
