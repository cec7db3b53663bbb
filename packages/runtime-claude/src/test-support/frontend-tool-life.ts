import { checkGrammar } from "@turnwire/protocol";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SessionHost } from "../../../server/src/3-host/session-host.ts";
import type { Runtime } from "@turnwire/runtime";
import { AgentSession, spoken } from "../../../runtime/src/test-support/agent-session.ts";
import { type ClaudePlace, killAgents } from "./claude-place.ts";

export interface FrontendToolLifeOptions {
  /** Its stand-in knows the scenarios `text` and `use`. */
  readonly place: ClaudePlace;
  readonly createRuntime: () => Runtime;
  readonly openHost: () => SessionHost;
}

const weather = {
  name: "local_weather",
  description: "The weather where the user is",
  input_schema: {
    type: "object",
    properties: { unit: { enum: ["C", "F"] } },
    required: ["unit"],
  },
};
const params = { frontend_tools: [weather] };

/** The promises about the tools that a session declares for its UI, with any runtime that drives Claude. */
export function testFrontendTools({
  place,
  createRuntime,
  openHost,
}: FrontendToolLifeOptions): void {
  let host: SessionHost;
  let shared: AgentSession;

  beforeAll(async () => {
    host = openHost();
    shared = await AgentSession.create(host, { params });
  });

  afterAll(async () => {
    const violations = checkGrammar(await shared.events());
    await host.close();
    if (violations.length > 0) throw new Error(JSON.stringify(violations));
  });

  describe("a tool of the UI", () => {
    const prompt = 'SCENARIO:use local_weather {"unit":"C"}';

    test("is offered to the model as the session declared it", async () => {
      await shared.turn("SCENARIO:text hello");
      expect(place.standin.requests.at(-1)?.body).toMatchObject({
        tools: expect.arrayContaining([
          expect.objectContaining({
            name: "mcp__turnwire__local_weather",
            description: weather.description,
            input_schema: expect.objectContaining(weather.input_schema),
          }),
        ]),
      });
    });

    test.each([
      [false, "Result: 21 degrees"],
      [true, "Result: 21 degrees"],
    ])(
      "is performed there, and its outcome reaches the agent; failed: %s",
      async (isError, result) => {
        const turnId = await shared.say(prompt);
        const { data } = await shared.until(
          "tool_call_request",
          (event) => event.turn_id === turnId,
        );
        expect(data).toMatchObject({ tool_name: "local_weather", input: { unit: "C" } });
        await shared.execute({
          type: "tool_call_response",
          correlation_id: data.correlation_id,
          output: "21 degrees",
          is_error: isError,
        });
        const events = await shared.ended(turnId);
        expect(spoken(events)).toContain(result);
        const results = events.flatMap((event) =>
          event.type === "tool_result" ? [event.data] : [],
        );
        expect(results).toMatchObject([{ is_error: isError }]);
      },
    );

    test.each([
      ["a name that is none", { ...weather, name: "Local-Weather" }],
      ["a schema of no object", { ...weather, input_schema: { type: "string" } }],
      ["the name of a tool of ours", { ...weather, name: "ask_user" }],
    ])("is refused with %s", async (_, tool) => {
      const options = { sessionId: "s", cwd: place.cwd, params: { frontend_tools: [tool] } };
      const starting = createRuntime().createRun(options);
      await expect(starting).rejects.toThrow("params.frontend_tools");
    });

    test("that waits when the process dies is orphaned", async () => {
      const other = openHost();
      const own = await AgentSession.create(other, { params });
      const turnId = await own.say(prompt);
      await own.until("tool_call_request", (event) => event.turn_id === turnId);
      // Asleep, so that only the one that waits is killed.
      await shared.session.hibernate();
      await killAgents();
      const events = await own.ended(turnId);
      const outcomes = events.flatMap((event) =>
        event.type === "tool_call_resolved" ? [event.data.outcome] : [],
      );
      expect(outcomes).toEqual(["orphaned"]);
      expect(checkGrammar(await own.events())).toEqual([]);
      await other.close();
    });
  });
}
