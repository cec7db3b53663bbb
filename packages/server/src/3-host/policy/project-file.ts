import { createHash } from "node:crypto";
import { dirname } from "node:path";
import { readInside } from "@turnwire/runtime/configuration";
import { contentFrom } from "./own-file.ts";
import type { LayerContent, PolicyLayer } from "./policy-layer.ts";
import type { ProjectPolicyFiles } from "../../2-session/policy/policy-source.ts";

const maxFileBytes = 1024 * 1024;

/** A project's policy files as layers, the outermost first. */
export async function readProjectLayers(
  { status, files }: ProjectPolicyFiles,
  lastGood: ReadonlyMap<string, unknown>,
): Promise<PolicyLayer[]> {
  const outermostFirst = files.toSorted((a, b) => a.path.length - b.path.length);
  return Promise.all(
    outermostFirst.map(async ({ path, fingerprint }) => {
      const content = await contentOf(path, { status, fingerprint });
      return {
        path,
        level: "project" as const,
        content,
        ...(lastGood.has(path) && { lastGood: lastGood.get(path) }),
      };
    }),
  );
}

async function contentOf(
  path: string,
  { status, fingerprint }: { status: ProjectPolicyFiles["status"]; fingerprint: string },
): Promise<LayerContent> {
  const wasTrusted = status === "changed" || status === "trusted";
  const project = dirname(dirname(path));
  const what = wasTrusted ? "has changed since it was trusted" : "is not trusted";
  const problem = `the project ${what}: look at it with turnwire trust ${project}`;
  // Where a link leads out of the project, nothing is read.
  const isLink = fingerprint.startsWith("link:");
  const file = isLink ? undefined : await readInside(path, "/", maxFileBytes);
  if (file?.type !== "text") {
    if (!wasTrusted) return { type: "untrusted", text: "", problem, wasTrusted };
    const reason = file?.type === "unread" ? file.reason : "it is gone, or a link that leads away";
    return { type: "unread", problem: reason };
  }
  const text = file.bytes.toString("utf8");
  const isAsSeen = createHash("sha256").update(file.bytes).digest("hex") === fingerprint;
  if (status === "trusted" && isAsSeen) return contentFrom(text);
  return { type: "untrusted", text, problem, wasTrusted };
}

/** What was in force from a file that has gone stays in force: an agent could have removed it. */
export function goneLayers(
  layers: readonly PolicyLayer[],
  lastGood: ReadonlyMap<string, unknown>,
): PolicyLayer[] {
  const present = new Set(layers.map(({ path }) => path));
  return Array.from(lastGood)
    .filter(([path]) => !present.has(path))
    .map(([path, data]) => ({ path, level: "project", content: gone, lastGood: data }));
}

const gone: LayerContent = {
  type: "untrusted",
  text: "",
  problem:
    "it is gone; what it said stays in force until the server starts again, or the project's trust is given or removed",
  wasTrusted: true,
};
