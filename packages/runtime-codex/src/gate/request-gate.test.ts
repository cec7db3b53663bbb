import { describe, expect, test } from "vitest";
import type { GatedCall, ToolGate } from "@turnwire/runtime";
import { RequestGate } from "./request-gate.ts";

const cwd = "/work/project";
const place = { threadId: "t1", turnId: "u1" };

/** A gate that writes down what it is asked, and decides by the first words that fit. */
function recordingGate(verdicts: Readonly<Record<string, "allow" | "ask" | "deny">> = {}) {
  const calls: GatedCall[] = [];
  const gate: ToolGate = {
    sandbox: "read_only",
    judge: async (call) => {
      calls.push(call);
      const text = JSON.stringify(call);
      const found = Object.entries(verdicts).find(([words]) => text.includes(words));
      const verdict = found?.[1] ?? "allow";
      const { tool } = call;
      return { tool, verdict, rule: "r", reason: "why", mode: "m", policy_version: "1" };
    },
  };
  return { calls, gate };
}

function approval(method: string, params: object) {
  return { id: 0, method, params: { ...place, itemId: "i1", ...params } };
}

const command = "item/commandExecution/requestApproval";
const patch = "item/fileChange/requestApproval";
const mcp = "mcpServer/elicitation/request";
const toolApproval = { codex_approval_kind: "mcp_tool_call" };

function started(item: object, method = "item/started") {
  return { method, params: { ...place, item } };
}

function mcpCall(id: string, tool: string) {
  return started({
    type: "mcpToolCall",
    id,
    server: "lab",
    tool,
    status: "inProgress",
    arguments: {},
  });
}

function fileChange(id: string, ...paths: string[]) {
  const changes = paths.map((path) => ({ path, kind: { type: "update" }, diff: "" }));
  return started({ type: "fileChange", id, changes, status: "inProgress" });
}

describe("the policy about a request of Codex", () => {
  test("judges a command under the names of this session, in its place", async () => {
    const { gate, calls } = recordingGate({ rm: "deny" });
    const ruling = await new RequestGate(gate, cwd).rule(
      approval(command, { command: "rm x", cwd }),
    );
    expect(ruling).toMatchObject({ ...place, decision: { verdict: "deny", tool: "shell" } });
    expect(calls).toEqual([{ tool: "Bash", input: { command: "rm x" }, toolUseId: "i1" }]);
  });

  test.each([
    ["without a command", {}],
    ["with an empty command", { command: "" }],
    ["for input to a running program", { command: "bash", kind: "writeStdin" }],
  ])(
    "has nothing to judge in a request %s, so no rule on commands can allow it",
    async (_, params) => {
      const { gate, calls } = recordingGate();
      await new RequestGate(gate, cwd).rule(approval(command, params));
      expect(calls).toContainEqual({ tool: "Bash", input: {}, toolUseId: "i1" });
    },
  );

  test("judges a host and wider permissions beside the command that wants them", async () => {
    const { gate } = recordingGate({ "example.com": "ask", request_permissions: "deny" });
    const judge = new RequestGate(gate, cwd);
    const networkApprovalContext = { host: "example.com", protocol: "https" };
    const network = await judge.rule(approval(command, { command: "ls", networkApprovalContext }));
    expect(network?.decision.verdict).toBe("ask");
    const additionalPermissions = { network: { enabled: true }, fileSystem: null };
    const wider = await judge.rule(approval(command, { command: "ls", additionalPermissions }));
    expect(wider?.decision.verdict).toBe("deny");
  });

  test("takes the strictest verdict of all files of a patch", async () => {
    const { gate } = recordingGate({ "/etc": "deny", "b.txt": "ask" });
    const judge = new RequestGate(gate, cwd);
    judge.observe(fileChange("i1", `${cwd}/a.txt`, `${cwd}/b.txt`, "/etc/c"));
    expect((await judge.rule(approval(patch, {})))?.decision.verdict).toBe("deny");
  });

  test("judges a patch that it has not seen, or that is over, as one of an unknown file", async () => {
    const { gate, calls } = recordingGate();
    const judge = new RequestGate(gate, cwd);
    judge.observe(fileChange("i1", `${cwd}/a.txt`));
    judge.observe({ ...fileChange("i1", `${cwd}/a.txt`), method: "item/completed" });
    await judge.rule(approval(patch, {}));
    expect(calls).toEqual([{ tool: "Write", input: {}, toolUseId: "i1" }]);
  });

  test("judges all tools of a server that may be the one, as Codex does not name it", async () => {
    const { gate } = recordingGate({ mcp__lab__change: "deny" });
    const judge = new RequestGate(gate, cwd);
    judge.observe(mcpCall("i1", "change"));
    judge.observe(mcpCall("i2", "echo"));
    const request = { ...place, serverName: "lab", mode: "form", _meta: toolApproval };
    const ruling = await judge.rule({ id: 1, method: mcp, params: request });
    expect(ruling?.decision.verdict).toBe("deny");
  });

  test("says nothing about a question, a form of a server, or where there is no policy mode", async () => {
    const { gate, calls } = recordingGate();
    const judge = new RequestGate(gate, cwd);
    const form = { ...place, serverName: "lab", mode: "form", _meta: null };
    expect(judge.rule({ id: 1, method: mcp, params: form })).toBeUndefined();
    const questions = [{ id: "q", question: "Which?" }];
    const asked = approval("item/tool/requestUserInput", { questions });
    expect(judge.rule(asked)).toBeUndefined();
    expect(calls).toEqual([]);
    const none: ToolGate = { sandbox: undefined, judge: async () => undefined };
    const free = await new RequestGate(none, cwd).rule(approval(command, { command: "rm x", cwd }));
    expect(free).toBeUndefined();
  });

  test("denies where it fails", async () => {
    const fails = async (): Promise<never> => {
      throw new Error("no policy today");
    };
    const judge = new RequestGate({ sandbox: "off", judge: fails }, cwd);
    expect((await judge.rule(approval(command, { command: "ls", cwd })))?.decision).toMatchObject({
      verdict: "deny",
      tool: "shell",
      reason: expect.stringContaining("no policy today"),
    });
  });
});
