import { expect, test } from "vitest";
import { cliCapabilities, dialledCapabilities } from "./capabilities.ts";

const uiCapabilities = { components: true, frontend_tools: true, shared_state: true };

test("a CLI that we start has our tools, one that dialled in has none", () => {
  expect(cliCapabilities({})).toMatchObject({ ...uiCapabilities, tool_input_stream: true });
  expect(dialledCapabilities({}, {})).toMatchObject({
    components: false,
    frontend_tools: false,
    shared_state: false,
    tool_input_stream: false,
  });
});

test("what only the Agent SDK can do is offered by neither", () => {
  const lacking = { fork: false, rollback: false, rollback_files: false, history: false };
  expect(cliCapabilities({})).toMatchObject(lacking);
  expect(dialledCapabilities({}, {})).toMatchObject(lacking);
});
