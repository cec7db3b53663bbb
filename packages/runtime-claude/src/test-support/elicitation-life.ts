import { type Scenario, text, toolUse } from "@turnwire/conformance/anthropic-standin";
import type { SessionEvent } from "@turnwire/protocol";
import { expect, onTestFinished, test } from "vitest";
import type { SessionHost } from "../../../server/src/3-host/session-host.ts";
import { AgentSession, ending, spoken } from "../../../runtime/src/test-support/agent-session.ts";
import { stdioLab } from "../../../runtime/src/test-support/mcp-lab.ts";

/** Uses a tool of the MCP server `lab`, and says what it returned. */
export const lab: Scenario = ({ argument, round, toolResults }) =>
  round === 0 ? [toolUse(`mcp__lab__${argument}`, {})] : [text(toolResults.join(" "))];

/** A turn in which a tool of the server asks a person, who answers. */
async function elicited(
  openHost: () => SessionHost,
  tool: string,
  answers: Record<string, string>,
): Promise<SessionEvent[]> {
  const host = openHost();
  onTestFinished(() => host.close());
  const mcp_servers = { lab: stdioLab("secret") };
  const allowed_tools = [`mcp__lab__${tool}`];
  const own = await AgentSession.create(host, { mcp_servers, allowed_tools });
  const turnId = await own.say(`SCENARIO:lab ${tool}`);
  return own.answerQuestion(turnId, answers);
}

/** The promises about what MCP servers ask, with any runtime that drives Claude; the stand-in knows the scenario `lab`. */
export function testElicitation(openHost: () => SessionHost): void {
  test("the form of an MCP server is a question to a person, whose answer it gets", async () => {
    const events = await elicited(openHost, "pick", { "Pick a colour": "blue" });
    expect(events.find(({ type }) => type === "question_request")).toMatchObject({
      data: {
        questions: [
          {
            question: "Pick a colour",
            header: "lab",
            options_only: true,
            options: [{ label: "red" }, { label: "blue" }],
          },
        ],
      },
    });
    expect(spoken(events)).toContain('answer: {"action":"accept","content":{"colour":"blue"}}');
    expect(ending(events).results).toEqual(["success"]);
  });

  test("an address that an MCP server wants to be opened is a question too", async () => {
    const question = "Log in to the lab. https://lab.example/login";
    const events = await elicited(openHost, "login", { [question]: "Done" });
    expect(events.find(({ type }) => type === "question_request")).toMatchObject({
      data: { questions: [{ question }] },
    });
    expect(spoken(events)).toContain('"action":"accept"');
  });
}
