import type { SessionState } from "@turnwire/protocol";
import { describe, expect, test } from "vitest";
import { codeOf, type RunningServer } from "./running-server.ts";
import { eventsOf, follow, openServers, type OpenShared, untilEvent } from "./two-servers.ts";

async function stateOf({ request }: RunningServer, id: string): Promise<SessionState> {
  const answer = await request(`/sessions/${id}/snapshot`);
  return ((await answer.json()) as { state: SessionState }).state;
}

function statuses(answers: readonly Response[]): number[] {
  return answers.map(({ status }) => status).toSorted((a, b) => a - b);
}

/** What holds when clients of two hosts do the same at the same instant, or one sends much. */
export function describeTwoServersAtOnce(name: string, openShared: OpenShared): void {
  describe(`two servers over one ${name}, at the same instant`, () => {
    test("make one session of an id", async () => {
      const { home, away } = await openServers(openShared);
      const json = { session_id: "11111111-1111-4111-8111-111111111111", title: "one" };
      const answers = await Promise.all(
        [home, away].map(({ request }) => request("/sessions", { json })),
      );
      expect(statuses(answers)).toEqual([201, 409]);
    });

    test("take a message once that is sent to both under one id", async () => {
      const { home, away, id } = await openServers(openShared);
      const live = await follow(away, `/sessions/${id}/events`);
      const json = { type: "user_message", content: "said once", client_message_id: "m1" };
      const answers = await Promise.all(
        [home, away, away, home].map(({ request }) =>
          request(`/sessions/${id}/commands`, { json }),
        ),
      );
      expect(statuses(answers)).toEqual([202, 202, 202, 202]);
      await untilEvent(live, "done");
      const said = eventsOf(live).filter(({ type }) => type === "user_message");
      expect(said).toHaveLength(1);
    });

    test("apply one of two changes of the shared state that were made for the same version", async () => {
      const { home, away, id } = await openServers(openShared);
      const patch = ({ request }: RunningServer, value: string) =>
        request(`/sessions/${id}/state`, {
          method: "PATCH",
          json: { patches: [{ op: "add", path: "", value }], base_version: 0 },
        });
      const answers = await Promise.all([patch(away, "away"), patch(home, "home")]);
      expect(statuses(answers)).toEqual([202, 409]);
      const refused = answers.find(({ status }) => status === 409);
      expect(refused && (await codeOf(refused))).toBe("stale_state");
      const kept = answers[0]?.status === 202 ? "away" : "home";
      for (const server of [home, away]) {
        expect((await stateOf(server, id)).shared).toEqual(kept);
      }
    });

    test("let one of two front ends carry out a tool call", async () => {
      const { home, away, id } = await openServers(openShared);
      const live = await follow(away, `/sessions/${id}/events`);
      await away.request(`/sessions/${id}/message`, { json: { message: "/frontend-tool" } });
      const asked = await untilEvent(live, "tool_call_request");
      if (asked.type !== "tool_call_request") throw new Error("no request");
      const { correlation_id } = asked.data;
      const claim = ({ request }: RunningServer, claim_id: string) =>
        request(`/sessions/${id}/commands`, {
          json: { type: "tool_call_claim", correlation_id, claim_id },
        });
      const answers = await Promise.all([claim(away, "away"), claim(home, "home")]);
      expect(statuses(answers)).toEqual([202, 409]);
    });

    test("show the components of programs at both", async () => {
      const { home, away, id } = await openServers(openShared);
      const put = ({ request }: RunningServer, componentId: string) =>
        request(`/sessions/${id}/components/${componentId}`, {
          method: "PUT",
          json: { name: "progress", surface: "panel", props: { done: 1, total: 3 } },
        });
      expect(statuses(await Promise.all([put(away, "one"), put(home, "two")]))).toEqual([202, 202]);
      for (const server of [home, away]) {
        const { panel } = (await stateOf(server, id)).surfaces;
        expect(panel.map(({ component_id }) => component_id).toSorted()).toEqual(["one", "two"]);
      }
    });

    test("take a message of many megabytes whole", async () => {
      const { home, away, id } = await openServers(openShared);
      const live = await follow(away, `/sessions/${id}/events`);
      const data = Buffer.alloc(4 * 2 ** 20, "turnwire").toString("base64");
      const content = [
        { type: "text", text: "x".repeat(2 ** 20) },
        { type: "image", source: { type: "base64", media_type: "image/png", data } },
      ];
      const answer = await away.request(`/sessions/${id}/commands`, {
        json: { type: "user_message", content },
      });
      expect([answer.status, await answer.json()]).toMatchObject([202, { accepted: true }]);
      await untilEvent(live, "done");
      const pages = await Promise.all(
        [home, away].map(async ({ request }) => {
          const headers = { accept: "application/json" };
          return (await request(`/sessions/${id}/events?limit=1000`, { headers })).text();
        }),
      );
      expect(pages[0]).toBe(pages[1]);
    });
  });
}
