import type { Page } from "playwright-core";
import { type AppServer } from "./app-server.ts";
import { say } from "./browser.ts";
import { requestCard, untilArmed } from "./request.ts";

export async function resolution(server: AppServer, sessionId: string) {
  const { events } = await server.client.sessions.eventPage(sessionId, { limit: 1000 });
  return events.flatMap(({ type, data }) => (type === "permission_resolved" ? [data] : []));
}

export async function askForCommand(page: Page) {
  await say(page, "/permission");
  const card = requestCard(page, "Run this command?");
  await untilArmed(card);
  return card;
}
