import { expect, test } from "vitest";
import { WriterSeats } from "./writer-seat.ts";

test("a provider session has one writer, until that one leaves or moves on", () => {
  const seats = new WriterSeats();
  const first = seats.take("a");
  expect(() => seats.take("a")).toThrow("Another session writes");
  first.move("b");
  const second = seats.take("a");
  first.leave();
  seats.take("b").leave();
  second.leave();
  seats.take("a").leave();
});

test("a new session takes its seat when its id is known", () => {
  const seats = new WriterSeats();
  const seat = seats.take(undefined);
  seat.move("a");
  expect(() => seats.take("a")).toThrow("a. Close it first.");
});
