import { type Clock, startTimer, systemClock } from "@turnwire/base";
import { OwnPolicyFile } from "./own-file.ts";
import {
  type ComposedPolicy,
  composePolicy,
  type LayerContent,
  type PolicyLayer,
} from "./policy-layer.ts";
import type {
  PolicyInForce,
  PolicySource,
  ProjectPolicyFiles,
} from "../../2-session/policy/policy-source.ts";
import { goneLayers, readProjectLayers } from "./project-file.ts";

export interface PolicyFilesOptions {
  /** The server's own policy file; it need not exist. */
  readonly path?: string;
  /** What a configuration file says of the policy, and where that is. */
  readonly configured?: { readonly path: string; readonly data: unknown };
  /** Notified when problems of files come up, and when they are mended. */
  readonly onReport?: (report: PolicyReport) => void;
  readonly clock?: Clock;
  /** How often the file is looked at while no one asks. */
  readonly checkMs?: number;
}

export interface PolicyReport {
  readonly level: "info" | "error";
  readonly message: string;
}

const maxProjects = 1_000;

/** A project as it was looked at last. */
interface Project {
  readonly layers: readonly PolicyLayer[];
  /** The trust that its policies are in force by. */
  readonly trustedAt: string | undefined;
  readonly own: ComposedPolicy;
  readonly composed: ComposedPolicy;
}

/**
 * Policies from files: the server's own, which is looked at with every question, and those of
 * projects, as they were trusted.
 */
export class PolicyFiles implements PolicySource {
  readonly #options: PolicyFilesOptions;
  readonly #file: OwnPolicyFile | undefined;
  readonly #projects = new Map<string, Project>();
  readonly #listeners = new Set<() => void>();
  /** What was reported last of each file. */
  readonly #reported = new Map<string, string>();
  #content: LayerContent | undefined;
  #ownLayers: readonly PolicyLayer[] = [];
  #own: ComposedPolicy | undefined;
  #preparing: Promise<void> = Promise.resolve();
  #stopTimer: () => void = () => undefined;

  constructor(options: PolicyFilesOptions) {
    this.#options = options;
    this.#file = options.path === undefined ? undefined : new OwnPolicyFile(options.path);
    this.#ownPolicy();
    if (this.#file) this.#startTimer();
  }

  current(cwd: string): PolicyInForce {
    const own = this.#ownPolicy();
    const project = this.#projects.get(cwd);
    if (!project) return own;
    if (project.own === own) return project.composed;
    return this.#keep(cwd, project.layers, project.trustedAt).composed;
  }

  /** Looks at the policy files of a project, one project after the other. */
  prepare(cwd: string, look?: () => Promise<ProjectPolicyFiles>): Promise<void> {
    if (!look) return Promise.resolve();
    const prepared = this.#preparing.then(async () => this.#prepare(cwd, await look()));
    // Whoever asked gets the error; the next one is not kept from trying.
    this.#preparing = prepared.catch(() => undefined);
    return prepared;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    this.#stopTimer();
  }

  async #prepare(cwd: string, found: ProjectPolicyFiles): Promise<void> {
    const earlier = this.#projects.get(cwd);
    const isSameTrust =
      found.status === "none" || (found.trustedAt ?? "") === (earlier?.trustedAt ?? "");
    const lastGood = isSameTrust ? lastGoodOf(earlier?.layers ?? []) : new Map<string, unknown>();
    const files = found.files.filter(({ path }) => path !== this.#options.path);
    const layers = await readProjectLayers({ ...found, files }, lastGood);
    const all = [...goneLayers(layers, lastGood), ...layers];
    if (!earlier && all.length === 0) return;
    const before = earlier?.composed.policy.version;
    const { composed } = this.#keep(cwd, all, found.trustedAt ?? earlier?.trustedAt);
    if (composed.policy.version !== before) this.#notify();
  }

  #keep(cwd: string, layers: readonly PolicyLayer[], trustedAt: string | undefined): Project {
    const own = this.#ownPolicy();
    const composed = composePolicy([...this.#ownLayers, ...layers]);
    const project = { layers: remembering(layers, composed), trustedAt, own, composed };
    const [oldest] = this.#projects.keys();
    if (oldest !== undefined && this.#projects.size >= maxProjects) this.#projects.delete(oldest);
    this.#projects.delete(cwd);
    this.#projects.set(cwd, project);
    this.#report(composed);
    return project;
  }

  /** The policy without any project's, as the file says now. */
  #ownPolicy(): ComposedPolicy {
    const content = this.#file?.read();
    if (this.#own && content === this.#content) return this.#own;
    const isFirst = this.#own === undefined;
    const { path, configured } = this.#options;
    const lastGood = lastGoodOf(this.#ownLayers);
    const layers: PolicyLayer[] = [
      ...(configured ? [userLayer(configured.path, { type: "data", data: configured.data })] : []),
      ...(content && path !== undefined
        ? [{ ...userLayer(path, content), lastGood: lastGood.get(path) }]
        : []),
    ];
    const composed = composePolicy(layers);
    this.#content = content;
    this.#ownLayers = remembering(layers, composed);
    this.#own = composed;
    this.#report(composed);
    if (!isFirst) this.#notify();
    return composed;
  }

  #report({ files }: ComposedPolicy): void {
    for (const { path, status, problems = [], has_earlier: hasEarlier } of files) {
      const text = problems.length === 0 ? "" : JSON.stringify([status, problems]);
      if ((this.#reported.get(path) ?? "") === text) continue;
      this.#reported.set(path, text);
      const rest =
        hasEarlier === true
          ? "What it said before stays in force."
          : "Modes that it says something of cannot be used.";
      this.#options.onReport?.(
        text === ""
          ? { level: "info", message: `The policy ${path} is in order again.` }
          : {
              level: status === "untrusted" ? "info" : "error",
              message: `The policy ${path} is not in force: ${problems.join("; ")}. ${rest}`,
            },
      );
    }
  }

  #startTimer(): void {
    const { clock = systemClock, checkMs = 2_000 } = this.#options;
    this.#stopTimer = startTimer(clock, checkMs, () => {
      this.#ownPolicy();
      this.#startTimer();
    });
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}

function userLayer(path: string, content: LayerContent): PolicyLayer {
  return { path, level: "user", content };
}

function lastGoodOf(layers: readonly PolicyLayer[]): Map<string, unknown> {
  return new Map(
    layers.flatMap(({ path, lastGood }) =>
      lastGood === undefined ? [] : [[path, lastGood] as const],
    ),
  );
}

/** The layers with what each was in order with last. */
function remembering(
  layers: readonly PolicyLayer[],
  { lastGood }: ComposedPolicy,
): readonly PolicyLayer[] {
  return layers.map((layer) =>
    lastGood.has(layer.path) ? { ...layer, lastGood: lastGood.get(layer.path) } : layer,
  );
}
