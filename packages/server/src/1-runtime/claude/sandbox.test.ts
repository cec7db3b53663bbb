import { describe, expect, test } from "vitest";
import { sandboxOptions, sandboxProblem } from "./sandbox.ts";

describe("the sandbox of Claude", () => {
  test("names what is missing and how to install it", async () => {
    expect(await sandboxProblem({ PATH: "/nowhere" }, "linux")).toContain(
      "apt-get install bubblewrap socat",
    );
    expect(await sandboxProblem({}, "win32")).toContain("Linux and macOS");
    expect(await sandboxProblem({}, "darwin")).toBeUndefined();
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
