import type { CatalogEntry } from "@turnwire/protocol";
import { expect, test } from "vitest";
import { codeOf, startServer } from "../../server/src/4-transport/test-support/running-server.ts";

const card: CatalogEntry = {
  name: "weather_card",
  description: "Shows the weather.",
  props_schema: { type: "object", properties: { city: { type: "string" } } },
  surfaces: ["chat"],
};

test("the server's catalog is listed as agent-webkit does, without a credential", async () => {
  const { url } = await startServer({ hostOptions: { catalog: [card] } });
  const answer = await fetch(`${url}/genui/schema`);
  expect(answer.status).toBe(200);
  expect(await answer.json()).toEqual({
    version: "1.0",
    server_name: "turnwire",
    prefix: "render_",
    tools: [
      {
        name: "mcp__turnwire__render_weather_card",
        short_name: "weather_card",
        raw_tool_name: "render_weather_card",
        description: card.description,
        schema: card.props_schema,
      },
    ],
  });
});

test("what a session adds for itself is not in it: without a catalog of the server it is 404", async () => {
  const { request, createSession } = await startServer();
  const id = await createSession();
  const added = await request(`/sessions/${id}/commands`, {
    method: "POST",
    json: { type: "add_to_catalog", entries: [card] },
  });
  expect(added.status).toBe(202);
  const answer = await request("/genui/schema");
  expect(answer.status).toBe(404);
  expect(await codeOf(answer)).toBe("not_found");
});

test.each([
  [{ ...card, props_schema: { type: "array" } }, "invalid_catalog", 400],
  [{ ...card, name: "Weather Card" }, "invalid_request", 400],
  [{ ...card, surface: "chat" }, "invalid_request", 400],
  [{ ...card, surfaces: [] }, "invalid_request", 400],
])("a session with the entry %j is refused", async (entry, code, status) => {
  const { request } = await startServer();
  const answer = await request("/sessions", { method: "POST", json: { catalog: [entry] } });
  expect(answer.status).toBe(status);
  expect(await codeOf(answer)).toBe(code);
});
