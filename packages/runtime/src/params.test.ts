import { describe, expect, test } from "vitest";
import * as z from "zod";
import { checkParams, paramsFrom } from "./params.ts";

const Params = z.object({ delay_ms: z.number().optional(), sandbox: z.enum(["a"]).optional() });

describe("params of a session", () => {
  test("that are unknown are refused by name, with what is known", () => {
    expect(() => checkParams(Params, { delay: 1 })).toThrow(
      "params.delay is unknown: this runtime knows delay_ms, sandbox.",
    );
  });

  test("that became fields of the session are refused with the way to them", () => {
    expect(() => checkParams(Params, { effort: "low" })).toThrow(/params\.effort.*field/);
  });

  test("that have a wrong value are refused by name, without the value", () => {
    expect(() => checkParams(Params, { sandbox: "s3cret" })).toThrow(/^params\.sandbox: /);
    expect(() => checkParams(Params, { sandbox: "s3cret" })).not.toThrow("s3cret");
  });

  test("of a session that an earlier version made are left out where they are unknown", () => {
    expect(paramsFrom(Params, { effort: "low", delay_ms: 0 })).toEqual({ delay_ms: 0 });
  });
});
