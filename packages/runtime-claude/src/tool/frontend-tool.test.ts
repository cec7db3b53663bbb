import { describe, expect, test } from "vitest";
import { servedFromFrontend } from "./frontend-tool.ts";
import { ToolClient } from "../test-support/tool-client.ts";

const weather = {
  name: "local_weather",
  description: "The weather where the user is",
  input_schema: { type: "object", properties: { unit: { enum: ["C", "F"] } }, required: ["unit"] },
};

describe("a tool of the UI", () => {
  async function call(input = { unit: "C" }) {
    const client = await ToolClient.connect([servedFromFrontend(weather)]);
    const { reply } = client.call("local_weather", input, "toolu_1");
    const asked = await client.heard(0);
    expect(asked).toEqual({
      type: "turnwire/call_ask",
      request_id: expect.stringMatching(/./),
      tool_name: "local_weather",
      input,
      tool_use_id: "toolu_1",
    });
    return { client, reply, id: asked.type === "turnwire/call_ask" ? asked.request_id : "" };
  }

  test("is offered as it was declared", async () => {
    const client = await ToolClient.connect([servedFromFrontend(weather)]);
    const { name, description, input_schema: inputSchema } = weather;
    expect((await client.list()).at(-1)).toMatchObject({ name, description, inputSchema });
  });

  test.each([
    [{ output: "21 degrees" }, { text: "21 degrees", isError: false }],
    [{ output: { degrees: 21 } }, { text: '{"degrees":21}', isError: false }],
    [
      { output: "no sensor", is_error: true },
      { text: "no sensor", isError: true },
    ],
    [
      { output: "fine", is_error: false },
      { text: "fine", isError: false },
    ],
  ])("that answers %j reaches the agent", async (answer, expected) => {
    const { client, reply, id } = await call();
    client.requests.answer({ type: "tool_call_response", correlation_id: id, ...answer });
    expect(await reply).toEqual(expected);
  });

  test("that is not performed any more is an error", async () => {
    const { client, reply } = await call();
    client.requests.withdrawAll();
    expect(await reply).toEqual({ text: "The user interface did not answer.", isError: true });
  });

  test("is not answered by what answers something else", async () => {
    const { client, reply, id } = await call();
    client.requests.answer({ type: "interrupt_response", interrupt_id: id, value: "21" });
    expect(await reply).toEqual({ text: "The user interface did not answer.", isError: true });
  });
});
