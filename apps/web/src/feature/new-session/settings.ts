import { budgetKinds, type BudgetKind, type BudgetLimits } from "../budget/budget-text.ts";
import type { StartAgentSettings } from "../setting/setting-choices.tsx";
import type { StartOptions } from "./start-options.ts";

/** What a person chose in one project: the agent, how each agent was set, and within which bounds it works. */
export interface ProjectSettings {
  readonly runtime?: string;
  readonly options?: StartOptions;
  readonly byRuntime?: Readonly<Record<string, StartAgentSettings>>;
}

/** How sessions were started: the defaults of the next one. */
export interface StartSettings {
  /** The path of the project that was used last. */
  readonly project?: string;
  /** The agent that was chosen last, for projects without a choice of their own. */
  readonly runtime?: string;
  /** By the path of the project; "" where none is chosen. The one used last is last. */
  readonly byProject: Readonly<Record<string, ProjectSettings>>;
}

const KEY = "turnwire.start";
const MOST_PROJECTS = 50;

/** The saved settings; anything else in the storage is ignored. */
export function loadSettings(storage: Pick<Storage, "getItem"> = localStorage): StartSettings {
  const kept = parsed(storage.getItem(KEY));
  const projects = Object.entries(objectFrom(kept["byProject"])).map(
    ([path, value]) => [path, projectSettings(objectFrom(value))] as const,
  );
  return { ...texts(kept, ["project", "runtime"]), byProject: Object.fromEntries(projects) };
}

export function saveSettings(
  settings: StartSettings,
  storage: Pick<Storage, "setItem"> = localStorage,
): void {
  const byProject = Object.fromEntries(Object.entries(settings.byProject).slice(-MOST_PROJECTS));
  try {
    storage.setItem(KEY, JSON.stringify({ ...settings, byProject }));
  } catch {
    // A full storage only means that the next session begins with the defaults.
  }
}

/** The settings of an agent in a project; nothing is chosen at first. */
export function settingsIn(
  settings: StartSettings,
  project: string | undefined,
  runtime: string | undefined,
): StartAgentSettings {
  return settings.byProject[project ?? ""]?.byRuntime?.[runtime ?? ""] ?? {};
}

/** The agent that was chosen for a project, else the one that was chosen last. */
export function runtimeIn(
  settings: StartSettings,
  project: string | undefined,
): string | undefined {
  return settings.byProject[project ?? ""]?.runtime ?? settings.runtime;
}

export function withRuntime(
  settings: StartSettings,
  project: string | undefined,
  runtime: string,
): StartSettings {
  const before = settings.byProject[project ?? ""];
  return { ...withProject(settings, project, { ...before, runtime }), runtime };
}

export function withSetting(
  settings: StartSettings,
  { project, runtime }: { readonly project: string | undefined; readonly runtime: string },
  change: StartAgentSettings,
): StartSettings {
  const before = settings.byProject[project ?? ""];
  const merged = { ...before?.byRuntime?.[runtime], ...change };
  return withProject(settings, project, {
    ...before,
    byRuntime: { ...before?.byRuntime, [runtime]: merged },
  });
}

/** Where and within which bounds agents work in a project; nothing is chosen at first. */
export function optionsIn(settings: StartSettings, project: string | undefined): StartOptions {
  return settings.byProject[project ?? ""]?.options ?? {};
}

export function withOptions(
  settings: StartSettings,
  project: string | undefined,
  change: StartOptions,
): StartSettings {
  const before = settings.byProject[project ?? ""];
  return withProject(settings, project, { ...before, options: { ...before?.options, ...change } });
}

/**
 * The settings once a project is known: choices that were made before are choices for it. The page can
 * be used while the list of projects still loads, and before a folder is chosen.
 */
export function withKnownProject(
  settings: StartSettings,
  project: string | undefined,
): StartSettings {
  const { "": chosen, ...byProject } = settings.byProject;
  if (project === undefined || chosen === undefined) return settings;
  const own = byProject[project];
  const runtimes = Object.keys({ ...own?.byRuntime, ...chosen.byRuntime });
  const byRuntime = runtimes.map(
    (name) => [name, { ...own?.byRuntime?.[name], ...chosen.byRuntime?.[name] }] as const,
  );
  return withProject({ ...settings, byProject }, project, {
    ...own,
    ...chosen,
    options: { ...own?.options, ...chosen.options },
    byRuntime: Object.fromEntries(byRuntime),
  });
}

function withProject(
  settings: StartSettings,
  project: string | undefined,
  value: ProjectSettings,
): StartSettings {
  const { [project ?? ""]: _before, ...others } = settings.byProject;
  return { ...settings, byProject: { ...others, [project ?? ""]: value } };
}

function startOptions(kept: Readonly<Record<string, unknown>>): StartOptions {
  const { worktree, sandbox, budget } = kept;
  const limits = limitsFrom(objectFrom(budget));
  return {
    ...(worktree === "new" && { worktree }),
    ...((sandbox === "network" || sandbox === "no_network") && { sandbox }),
    ...(Object.keys(limits).length > 0 && { budget: limits }),
  };
}

function limitsFrom(kept: Readonly<Record<string, unknown>>): BudgetLimits {
  const limits: { [Kind in BudgetKind]?: number } = {};
  for (const kind of budgetKinds) {
    const limit = kept[kind];
    if (typeof limit === "number" && limit > 0) limits[kind] = limit;
  }
  return limits;
}

function projectSettings(kept: Readonly<Record<string, unknown>>): ProjectSettings {
  const byRuntime = Object.entries(objectFrom(kept["byRuntime"])).map(
    ([name, value]) => [name, agentSettings(objectFrom(value))] as const,
  );
  const options = startOptions(objectFrom(kept["options"]));
  return {
    ...texts(kept, ["runtime"]),
    ...(Object.keys(options).length > 0 && { options }),
    ...(byRuntime.length > 0 && { byRuntime: Object.fromEntries(byRuntime) }),
  };
}

function agentSettings(kept: Readonly<Record<string, unknown>>): StartAgentSettings {
  return {
    ...texts(kept, ["model", "effort", "permission_mode", "policy_mode"]),
    ...(kept["policy_mode"] === null && { policy_mode: null }),
  };
}

function texts<Name extends string>(
  kept: Readonly<Record<string, unknown>>,
  names: readonly Name[],
): { readonly [Key in Name]?: string } {
  const found: { [Key in Name]?: string } = {};
  for (const name of names) {
    const value = kept[name];
    if (typeof value === "string") found[name] = value;
  }
  return found;
}

function objectFrom(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function parsed(text: string | null): Readonly<Record<string, unknown>> {
  try {
    return objectFrom(JSON.parse(text ?? "{}"));
  } catch {
    return {};
  }
}
