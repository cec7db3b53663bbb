import { expect, test } from "vitest";
import { isObject } from "@turnwire/base";
import { exchangesIn, isShownAs } from "../../wire/src/test-support/documented-exchange.ts";
import { startServer } from "../../server/src/4-transport/test-support/running-server.ts";
import { openKit } from "./test-support/kit-client.ts";

const exchanges = exchangesIn(new URL("../../../docs/protocol/kit.md", import.meta.url));

/** One example of the document, against a server of its own; a later connection takes the place of the one before. */
async function play(steps: (typeof exchanges)[number]): Promise<void> {
  const { url } = await startServer();
  const known: Record<string, unknown> = {};
  const filledIn = (text: string): string =>
    text.replaceAll(/":(sessionId|requestId)"/g, (_all, name: string) =>
      JSON.stringify(known[name]),
    );
  let client: Awaited<ReturnType<typeof openKit>> | undefined;
  let read = 0;
  const expectFrame = async (shown: string): Promise<void> => {
    const wanted: unknown = JSON.parse(filledIn(shown));
    const find = (): number =>
      client?.messages.findIndex((frame, index) => index >= read && isShownAs(frame, wanted)) ?? -1;
    await client?.until(() => find() >= 0);
    const found = find();
    const { sessionId, request } = client?.messages[found] ?? {};
    if (typeof sessionId === "string") known["sessionId"] = sessionId;
    if (isObject(request)) known["requestId"] = request["requestId"];
    read = found + 1;
  };
  for (const { sent, received } of steps) {
    const [, path] = /^GET (\S+)$/.exec(sent) ?? [];
    if (path !== undefined) {
      client = await openKit(`${url}${path}`);
      read = 0;
    } else client?.websocket.send(filledIn(sent));
    for (const shown of received) await expectFrame(shown);
  }
}

test.each(exchanges.map((steps, index) => [index + 1, steps] as const))(
  "example %i of the page about the kit runs as it is printed",
  async (_number, steps) => {
    await expect(play(steps)).resolves.toBeUndefined();
  },
);

test("the page shows every message of the kit and of ours", () => {
  const sent = exchanges.flat().map(({ sent: text }) => /^\{"type":"(\w+)"/.exec(text)?.[1]);
  expect(sent).toEqual(
    expect.arrayContaining([
      "chat",
      "setSDKOptions",
      "resume",
      "interrupt",
      "setModel",
      "setPermissionMode",
      "permissionResponse",
      "questionResponse",
      "listSessions",
    ]),
  );
});
