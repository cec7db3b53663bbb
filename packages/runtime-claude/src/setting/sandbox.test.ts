import { describe, expect, test } from "vitest";
import { capabilitiesFor } from "../sdk/capabilities.ts";
import { hasSandbox, sandboxOptions, sandboxProblem } from "./sandbox.ts";

describe("the sandbox of Claude", () => {
  test("names what is missing and how to install it", async () => {
    expect(await sandboxProblem({ PATH: "/nowhere" }, "linux")).toContain(
      "apt-get install bubblewrap socat",
    );
    expect(await sandboxProblem({}, "win32")).toContain("Linux and macOS");
    expect(await sandboxProblem({}, "darwin")).toBeUndefined();
  });

  test("is a capability where the platform has it, installed or not", () => {
    expect([hasSandbox("linux"), hasSandbox("darwin"), hasSandbox("win32")]).toEqual([
      true,
      true,
      false,
    ]);
    expect(capabilitiesFor({}).sandbox).toBe(hasSandbox(process.platform));
  });

  test("without network takes away the tools that would use it outside the sandbox", () => {
    const run = { sessionId: "s", cwd: "/p", disallowedTools: ["Task"] };
    const { sandbox, disallowedTools } = sandboxOptions({ ...run, sandbox: { network: false } });
    expect(disallowedTools).toEqual(["Task", "WebFetch", "WebSearch"]);
    expect(sandbox).toMatchObject({
      enabled: true,
      failIfUnavailable: true,
      allowUnsandboxedCommands: false,
      network: { allowedDomains: [], strictAllowlist: true },
    });
    expect(sandboxOptions(run)).toEqual({});
  });
});
