import { homedir } from "node:os";
import { join } from "node:path";
import {
  decisionOn,
  RuntimeError,
  type GatedCall,
  type SandboxNeed,
  type ToolGate,
} from "@turnwire/runtime";

const read = (path: string): GatedCall => ({ tool: "Read", input: { file_path: path } });
const write = (path: string): GatedCall => ({ tool: "Write", input: { file_path: path } });
const command = (text: string): GatedCall => ({ tool: "Bash", input: { command: text } });

/** What Codex's sandbox lets happen: it keeps no file secret, and does not hold MCP tools. */
function unheldCalls(cwd: string, need: SandboxNeed): GatedCall[] {
  const inEach = [
    read("/etc/hostname"),
    read(join(homedir(), ".ssh/id_ed25519")),
    read(join(cwd, ".env")),
    command("node script.js"),
    command("./program"),
    command("some-program --option"),
    command("env"),
    { tool: "mcp__server__tool", input: {} },
  ];
  const inside = [
    write(join(cwd, "package.json")),
    write(join(cwd, ".mcp.json")),
    write(join(cwd, ".claude/settings.json")),
    command("rm -rf src"),
    command("chmod 777 package.json"),
  ];
  const anywhere = [
    write("/etc/hostname"),
    write(join(cwd, ".git/config")),
    command("curl https://example.com"),
    command("git push --force"),
    command("sudo ls"),
    command("kill 1"),
    { tool: "WebSearch", input: { query: "words" } },
  ];
  switch (need) {
    case "read_only":
      return inEach;
    case "write_inside":
      return [...inEach, ...inside];
    case "off":
      return [...inEach, ...inside, ...anywhere];
  }
}

/**
 * Rejects with a RuntimeError where a policy mode needs more than the sandbox can hold: `codex exec` asks
 * no one, so whatever its sandbox lets happen must be allowed.
 */
export async function checkSandboxHolds(gate: ToolGate, cwd: string): Promise<void> {
  const need = gate.sandbox;
  if (need === undefined) return;
  for (const call of unheldCalls(cwd, need)) {
    const decision = await decisionOn(gate, call);
    if (!decision || decision.verdict === "allow") continue;
    const { mode, verdict, reason } = decision;
    const answer = verdict === "ask" ? "asks a person about" : "refuses";
    throw new RuntimeError(
      "invalid_input",
      `Codex (exec) cannot hold the policy mode ${mode}: it ${answer} what the sandbox of Codex lets happen (${reason}), and here no one can be asked. Use the runtime codex, or another policy mode.`,
    );
  }
}
