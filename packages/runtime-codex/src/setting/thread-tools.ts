import type { CatalogEntry } from "@turnwire/protocol";
import { open } from "node:fs/promises";
import * as z from "zod";
import { uiNamespace, uiNamespaceTools } from "../protocol/ui-namespace.ts";

/** What the model of a thread has of our tools. */
export interface ThreadTools {
  readonly hasUiTools: boolean;
  /** Whether it was given this very catalog with them. */
  readonly knowsCatalog: boolean;
}

const maxHeadBytes = 4 * 1024 * 1024;

/** The first line of a thread's file (0.166.0). */
const Head = z.object({
  type: z.literal("session_meta"),
  payload: z.object({ dynamic_tools: z.array(z.looseObject({ name: z.string() })).nullish() }),
});

/**
 * What a thread was started with: Codex takes tools then and never again, copies them to forks, and does not report
 * them. Where its file cannot be read, as with an app-server elsewhere, it is taken for one of ours.
 */
export async function readThreadTools(
  path: string | null | undefined,
  catalog: readonly CatalogEntry[],
): Promise<ThreadTools> {
  const head = path ? await readHead(path).catch(() => undefined) : undefined;
  if (!head) return { hasUiTools: true, knowsCatalog: false };
  const kept = head.payload.dynamic_tools?.find(({ name }) => name === uiNamespace);
  const knowsCatalog = kept !== undefined && inputsOf(kept) === inputsOf(uiNamespaceTools(catalog));
  return { hasUiTools: kept !== undefined, knowsCatalog };
}

/** Codex adds fields of its own to a tool; its inputs stay as they are. */
function inputsOf(namespace: unknown): string {
  const { tools } = Namespace.parse(namespace);
  return JSON.stringify(tools.map(({ inputSchema }) => sorted(inputSchema)));
}

const Namespace = z.object({ tools: z.array(z.looseObject({ inputSchema: z.unknown() })) });

/** The same value with its keys in order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(entries.map(([name, member]) => [name, sorted(member)]));
}

async function readHead(path: string): Promise<z.infer<typeof Head>> {
  const file = await open(path);
  try {
    const lines = file.readLines({ end: maxHeadBytes, autoClose: false });
    for await (const line of lines) return Head.parse(JSON.parse(line));
    throw new Error("The thread's file is empty.");
  } finally {
    await file.close();
  }
}
