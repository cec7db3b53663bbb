import { noCapabilities } from "@turnwire/protocol";
import { describe, expect, test } from "vitest";
import { events, ofType } from "../test-support/replay.ts";
import { init } from "../test-support/spoken.ts";

describe("the session", () => {
  const capabilities = {
    ...noCapabilities,
    slash_commands: [{ name: "compact", description: "Compacts" }],
  };
  const info = { type: "turnwire/run_info", capabilities };

  test("is reported once", () => {
    const drafts = events(init(), init());
    expect(drafts).toEqual([
      {
        type: "session_updated",
        data: { provider_session_id: "s1", model: "opus", permission_mode: "default" },
      },
    ]);
  });

  test("has no MCP server of our own", () => {
    const mcp_servers = [
      { name: "turnwire", status: "connected" },
      { name: "files", status: "connected" },
    ];
    expect(ofType(events(init({ mcp_servers })), "mcp_status").map(({ data }) => data)).toEqual([
      { server_name: "files", status: "connected" },
    ]);
  });

  test("is reported only where it changed", () => {
    const mode = { type: "system", subtype: "status", status: null, permissionMode: "plan" };
    const drafts = events(init(), mode, init({ model: "haiku", permissionMode: "plan" }));
    expect(drafts.slice(1).map(({ data }) => data)).toEqual([
      { permission_mode: "plan" },
      { model: "haiku" },
    ]);
  });

  test("learns commands as they come, without those of the terminal", () => {
    const named = init({
      slash_commands: ["compact", "review", "color", "__internal"],
      terminal_slash_commands: ["color"],
    });
    const [, reported] = ofType(events(info, named), "session_updated");
    expect(reported?.data.capabilities?.slash_commands).toEqual([
      { name: "compact", description: "Compacts" },
      { name: "review" },
    ]);
  });

  test("is not reported for commands that are known", () => {
    const [, reported] = ofType(
      events(info, init({ slash_commands: ["compact"] })),
      "session_updated",
    );
    expect(reported?.data).not.toHaveProperty("capabilities");
  });

  test("replaces its commands when they change", () => {
    const changed = {
      type: "system",
      subtype: "commands_changed",
      commands: [{ name: "fix", description: "", argumentHint: "" }],
    };
    const [, reported] = ofType(events(info, changed), "session_updated");
    expect(reported?.data.capabilities?.slash_commands).toEqual([{ name: "fix" }]);
  });

  test("hears of a server when its status changes", () => {
    const connecting = init({ mcp_servers: [{ name: "ui", status: "pending" }] });
    const connected = init({ mcp_servers: [{ name: "ui", status: "connected" }] });
    const drafts = events(connecting, connecting, connected);
    expect(ofType(drafts, "mcp_status").map(({ data }) => data.status)).toEqual([
      "pending",
      "connected",
    ]);
  });
});
