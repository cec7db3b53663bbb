import { describe, expect, test } from "vitest";
import { paramsFrom } from "@turnwire/runtime";
import { CodexParams } from "./options.ts";
import { gatedPolicy, permissionModes, policyFor } from "./policy.ts";

const bound = permissionModes.filter((mode) => mode !== "full-access");

describe("a session's policy", () => {
  test("asks for everything when no other was chosen", () => {
    expect(policyFor("default", {})).toEqual({
      approvalPolicy: "untrusted",
      sandbox: "workspace-write",
      isPlan: false,
    });
  });

  test("follows the session's params", () => {
    const params = paramsFrom(CodexParams, { approval_policy: "never", sandbox: "read-only" });
    expect(policyFor("default", params)).toMatchObject({
      approvalPolicy: "never",
      sandbox: "read-only",
    });
  });

  test.each(bound)("gives no one in mode %s the whole machine unasked", (mode) => {
    for (const approval_policy of ["on-request", "never"]) {
      const params = paramsFrom(CodexParams, { approval_policy, sandbox: "danger-full-access" });
      expect(() => policyFor(mode, params)).toThrow("full-access");
    }
  });

  test("refuses a mode and params that are unknown", () => {
    expect(() => policyFor("acceptEdits", {})).toThrow("no permission mode");
    expect(() => policyFor("constructor", {})).toThrow("no permission mode");
    expect(() => paramsFrom(CodexParams, { approval_policy: "on-failure" })).toThrow(
      "params.approval_policy",
    );
    expect(() => paramsFrom(CodexParams, { sandbox: "workspaceWrite" })).toThrow("params.sandbox");
  });
});

describe("a permission mode under a policy mode", () => {
  test.each([
    ["full-access", "read_only", "read-only"],
    ["full-access", "write_inside", "workspace-write"],
    ["full-access", "off", "danger-full-access"],
    ["auto", "read_only", "read-only"],
    ["auto", "off", "workspace-write"],
    ["plan", "off", "read-only"],
    ["read-only", "write_inside", "read-only"],
  ] as const)(
    "%s with the need %s asks about everything in the sandbox %s",
    (mode, need, sandbox) => {
      const own = policyFor(mode, {});
      expect(gatedPolicy(own, need)).toEqual({ ...own, approvalPolicy: "untrusted", sandbox });
    },
  );

  test("is as it is where there is no policy mode", () => {
    const own = policyFor("full-access", {});
    expect(gatedPolicy(own, undefined)).toEqual(own);
  });
});
