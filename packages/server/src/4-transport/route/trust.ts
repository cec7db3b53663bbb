import type * as z from "zod";
import {
  accepted,
  type Result,
  TrustInfo,
  TrustInput,
  TrustList,
  TrustQuery,
  validate,
  wireError,
} from "@turnwire/protocol";
import type { SessionHost } from "../../3-host/session-host.ts";
import { json, empty, refused, type Call, type Route } from "@turnwire/wire";

/** Which directories may configure the agents that work in them. */
export function trustRoutes(host: SessionHost): Route[] {
  const path = "/trust";
  return [
    {
      method: "GET",
      path,
      summary: "What a directory would configure in its agents, and whether it may",
      access: "admin",
      query: TrustQuery,
      answers: { 200: { description: "What was found", schema: TrustInfo } },
      async handle(call) {
        const directory = await directoryOf(host, TrustQuery, Object.fromEntries(call.query));
        if (!directory.ok) return refused(directory.error);
        return json(200, await host.trust.get(directory.value.path));
      },
    },
    {
      method: "PUT",
      path,
      summary: "Trust a directory as it was shown",
      access: "admin",
      body: TrustInput,
      answers: { 200: { description: "What is trusted now", schema: TrustInfo } },
      async handle(call) {
        const input = await bodyOf(host, call);
        if (!input.ok) return refused(input.error);
        const trusted = await host.trust.set(input.value.path, input.value.digest);
        return trusted.ok ? json(200, trusted.value) : refused(trusted.error);
      },
    },
    {
      method: "DELETE",
      path,
      summary: "Forget that a directory is trusted",
      access: "admin",
      query: TrustQuery,
      answers: { 204: { description: "It is not trusted any more" } },
      async handle(call) {
        const query = validate(TrustQuery, Object.fromEntries(call.query));
        if (!query.ok) return refused(query.error);
        // As it was stored: the directory itself may be gone.
        if (await host.trust.remove(query.value.path)) return empty(204);
        const directory = await directoryOf(host, TrustQuery, query.value);
        const isRemoved = directory.ok && (await host.trust.remove(directory.value.path));
        return isRemoved ? empty(204) : refused(notTrusted);
      },
    },
    {
      method: "GET",
      path: `${path}/directories`,
      summary: "List the directories that were trusted",
      access: "admin",
      answers: { 200: { description: "By path", schema: TrustList } },
      handle: async () => json(200, await host.trust.list()),
    },
  ];
}

const notTrusted = wireError("not_found", "This directory was not trusted itself.");

async function bodyOf(host: SessionHost, call: Call): Promise<Result<TrustInput>> {
  const input = await call.readJson();
  return input.ok ? directoryOf(host, TrustInput, input.value) : input;
}

/** What was asked, with the real path of a directory in which agents may work. */
async function directoryOf<Asked extends TrustQuery>(
  host: SessionHost,
  schema: z.ZodType<Asked>,
  input: unknown,
): Promise<Result<Asked>> {
  const asked = validate(schema, input);
  if (!asked.ok) return asked;
  const directory = await host.projects.open(asked.value.path);
  return directory.ok ? accepted({ ...asked.value, path: directory.value }) : directory;
}
