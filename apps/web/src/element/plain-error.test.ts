import { ClientError } from "@turnwire/client";
import { wireError } from "@turnwire/protocol";
import { expect, test } from "vitest";
import { plainError } from "./plain-error.ts";

test("a refusal is the server's sentence, without method, address and status", () => {
  const error = wireError("runtime_unavailable", "Claude is not connected.");
  const thrown = new ClientError("wire", "POST /sessions was refused with 503: x", { error });
  expect(plainError(thrown)).toBe("Claude is not connected.");
});

test("a server that is away is named in plain words", () => {
  expect(plainError(new ClientError("network", "The server was not reached: fetch failed"))).toBe(
    "The server cannot be reached.",
  );
  expect(plainError(new ClientError("timeout", "30000 ms"))).toBe(
    "The server did not answer in time.",
  );
});

test("anything else keeps its own words", () => {
  expect(plainError(new Error("notes.bin is not a text file."))).toBe(
    "notes.bin is not a text file.",
  );
});
