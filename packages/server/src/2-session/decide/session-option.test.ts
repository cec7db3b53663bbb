import {
  type Capabilities,
  type CreateSession,
  noCapabilities,
  SessionOption,
} from "@turnwire/protocol";
import { describe, expect, test } from "vitest";
import { configurationFrom, refuseOptions } from "./session-option.ts";

const everything: Capabilities = {
  ...noCapabilities,
  set_effort: true,
  efforts: ["low", "high"],
  permission_modes: ["default"],
  session_options: SessionOption.options,
};

const options = {
  "system_prompt.replace": { system_prompt: { mode: "replace", text: "s3cret" } },
  system_prompt: { system_prompt: "s3cret" },
  mcp_servers: {
    mcp_servers: { lab: { type: "stdio", command: "lab", env: { TOKEN: "s3cret" } } },
  },
  allowed_tools: { allowed_tools: ["s3cret"] },
  disallowed_tools: { disallowed_tools: ["s3cret"] },
  hooks: { hooks: ["s3cret"] },
  max_turns: { max_turns: 3 },
  output_schema: { output_schema: { type: "object" } },
  agents: { agents: { max_threads: 2 } },
} as const satisfies Record<string, CreateSession>;

const forAdmins = new Set(["system_prompt.replace", "mcp_servers", "allowed_tools", "hooks"]);

describe("what configures a session", () => {
  test.each(Object.entries(options))(
    "is refused by its field, never by its value, where the runtime lacks it: %s",
    (field, creation) => {
      const session_options = (everything.session_options ?? []).filter((one) => one !== field);
      const lacking = { ...everything, session_options };
      const refusal = refuseOptions(creation, lacking, true);
      expect(refusal?.error).toMatchObject({ code: "capability_missing", details: { field } });
      expect(refusal?.error.message).toContain(field);
      expect(JSON.stringify(refusal)).not.toContain("s3cret");
      expect(refuseOptions(creation, everything, true)).toBeUndefined();
    },
  );

  test.each(Object.entries(options))(
    "is for admins where it is as much as a command: %s",
    (field, creation) => {
      const refusal = refuseOptions(creation, everything, false);
      expect(refusal?.error.details).toEqual(forAdmins.has(field) ? { field } : undefined);
      expect(refusal?.error.code).toBe(forAdmins.has(field) ? "forbidden" : undefined);
      expect(JSON.stringify([refusal])).not.toContain("s3cret");
    },
  );

  test("has an effort that the runtime knows, where it lists any", () => {
    expect(refuseOptions({ effort: "high" }, everything, false)).toBeUndefined();
    expect(refuseOptions({ effort: "huge" }, everything, false)?.error).toMatchObject({
      code: "invalid_request",
      details: { efforts: ["low", "high"] },
    });
    const unlisted = { ...everything, efforts: [] };
    expect(refuseOptions({ effort: "huge" }, unlisted, false)).toBeUndefined();
    expect(refuseOptions({ effort: "low" }, noCapabilities, false)?.error).toMatchObject({
      code: "capability_missing",
      details: { field: "effort" },
    });
  });

  test("reaches the run in the run's words", () => {
    expect(
      configurationFrom({
        ...options.mcp_servers,
        system_prompt: "Be kind.",
        hooks: ["PreToolUse"],
        max_turns: 3,
        agents: { max_threads: 2, max_depth: 0 },
        params: { delay_ms: 0 },
      }),
    ).toEqual({
      mcpServers: options.mcp_servers.mcp_servers,
      systemPrompt: { mode: "append", text: "Be kind." },
      hookEvents: ["PreToolUse"],
      maxTurns: 3,
      agents: { maxAtOnce: 2, maxDepth: 0 },
      params: { delay_ms: 0 },
    });
  });
});
