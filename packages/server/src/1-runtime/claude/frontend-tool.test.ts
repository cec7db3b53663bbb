import { describe, expect, test } from "vitest";
import { FrontendTools, servedFromFrontend } from "./frontend-tool.ts";
import { ToolClient } from "./test-support/tool-client.ts";

const weather = {
  name: "local_weather",
  description: "The weather where the user is",
  input_schema: { type: "object", properties: { unit: { enum: ["C", "F"] } }, required: ["unit"] },
};

describe("what a session may declare", () => {
  test("is any number of tools, each with a name of its own", () => {
    const tools = [weather, { ...weather, name: "w2" }];
    expect(FrontendTools.parse(tools)).toEqual(tools);
    expect(FrontendTools.parse([])).toEqual([]);
  });

  test.each([
    ["a name twice", [weather, weather], "There is already a tool local_weather"],
    ["a name of ours", [{ ...weather, name: "ask_user" }], "There is already a tool ask_user"],
    ["a name with a capital", [{ ...weather, name: "Weather" }], "small letters"],
    ["a name that begins with a digit", [{ ...weather, name: "2go" }], "small letters"],
    ["a name with more after it", [{ ...weather, name: "a b" }], "small letters"],
    ["no name", [{ ...weather, name: "" }], "small letters"],
    ["no object", [{ ...weather, input_schema: { type: "array" } }], "a JSON Schema of an object"],
    ["no description", [{ name: "w", input_schema: weather.input_schema }], "description"],
  ])("is not %s", (_, tools, why) => {
    expect(() => FrontendTools.parse(tools)).toThrow(why);
  });
});

describe("a tool of the UI", () => {
  async function call(input = { unit: "C" }) {
    const client = await ToolClient.connect([servedFromFrontend(weather)]);
    const { told } = client.call("local_weather", input, "toolu_1");
    const asked = await client.heard(0);
    expect(asked).toEqual({
      type: "turnwire/call_ask",
      request_id: expect.stringMatching(/./),
      tool_name: "local_weather",
      input,
      tool_use_id: "toolu_1",
    });
    return { client, told, id: asked.type === "turnwire/call_ask" ? asked.request_id : "" };
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
  ])("that answers %j tells the agent so", async (answer, expected) => {
    const { client, told, id } = await call();
    client.asks.answer({ type: "tool_call_response", correlation_id: id, ...answer });
    expect(await told).toEqual(expected);
  });

  test("that nobody performs any more is an error", async () => {
    const { client, told } = await call();
    client.asks.withdrawAll();
    expect(await told).toEqual({ text: "The user interface did not answer.", isError: true });
  });

  test("is not answered by what answers something else", async () => {
    const { client, told, id } = await call();
    client.asks.answer({ type: "interrupt_response", interrupt_id: id, value: "21" });
    expect(await told).toEqual({ text: "The user interface did not answer.", isError: true });
  });
});
