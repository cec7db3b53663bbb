import { describe, expect, test } from "vitest";
import { SentInputs } from "./sent-inputs.ts";

describe("an interrupt", () => {
  test("stops what the CLI still had in its queue, and what it had not read yet", () => {
    const inputs = new SentInputs();
    for (const uuid of ["running", "queued", "unread"]) inputs.sent(uuid);
    expect(inputs.started("running")).toBe(false);
    inputs.interrupted(["queued"]);
    inputs.sent("later");
    expect(inputs.hasDoomed).toBe(true);
    expect(["queued", "unread", "later"].map((uuid) => inputs.started(uuid))).toEqual([
      true,
      true,
      false,
    ]);
    expect(inputs.hasDoomed).toBe(false);
  });

  test("is over when the CLI rests: what it has cancelled stops nothing", () => {
    const inputs = new SentInputs();
    inputs.sent("cancelled");
    inputs.interrupted([]);
    inputs.rest();
    expect(inputs.hasDoomed).toBe(false);
    inputs.interrupted([]);
    expect(inputs.hasDoomed).toBe(false);
  });
});
