import { resolve } from "node:path";
import type { Project } from "@turnwire/protocol";
import { CliError, exitCode } from "../error/cli-error.ts";
import { defineCommand, type Invocation } from "../program/command.ts";
import { dataDirectoryFrom } from "../configuration/configuration.ts";
import { openProjects, type ProjectAccess } from "../connection/project-access.ts";
import { didYouMean } from "../error/suggestion.ts";
import { type Format, formatFor } from "../terminal/format.ts";
import { safeLine } from "../terminal/safe-text.ts";
import { tableLines } from "../terminal/table.ts";

type ProjectsInvocation = Invocation<"projects">;

const actions = ["list", "add", "remove"] as const;
type Action = (typeof actions)[number];

function actionFrom(given = "list"): Action {
  const action = actions.find((candidate) => candidate === given);
  if (action) return action;
  throw new CliError("usage", `turnwire projects cannot "${given}".${didYouMean(given, actions)}`);
}

function branchText({ git }: Project): string {
  if (!git) return "";
  return `${git.branch ?? "(detached)"}${git.is_dirty === true ? " *" : ""}`;
}

function statusText({ is_available, problem, warning, is_fixed }: Project): string {
  if (!is_available) return problem ?? "not available";
  return [is_fixed ? "root" : "", warning ?? ""].filter(Boolean).join("; ");
}

function tableOf(projects: readonly Project[], format: Format): string[] {
  if (projects.length === 0)
    return ["There are no projects yet. Add one: turnwire projects add DIR"];
  return tableLines(
    {
      header: ["ID", "PATH", "BRANCH", ""],
      rows: projects.map((project) => [
        format.colors.cyan(project.id.slice(0, 8)),
        safeLine(project.display_path),
        safeLine(branchText(project)),
        format.colors.dim(safeLine(statusText(project))),
      ]),
    },
    format,
  );
}

/** A path is on the machine of the server: relative ones and `~` mean something here only. */
function pathFrom(given: string, { cwd, values }: ProjectsInvocation): string {
  return values.url !== undefined || given === "~" || given.startsWith("~/")
    ? given
    : resolve(cwd, given);
}

async function add(access: ProjectAccess, invocation: ProjectsInvocation): Promise<Project> {
  return access.add(pathFrom(invocation.positionals[1] ?? ".", invocation));
}

/** By its path, or by the beginning of its id. */
async function find(access: ProjectAccess, invocation: ProjectsInvocation): Promise<Project> {
  const given = invocation.positionals[1];
  if (given === undefined) {
    throw new CliError(
      "usage",
      "Which project? turnwire projects remove DIR, or the beginning of its id",
    );
  }
  const projects = await access.list();
  const path = pathFrom(given, invocation);
  const named = projects.find((project) => project.path === path || project.display_path === given);
  if (named) return named;
  const [found, ...more] = projects.filter(({ id }) => given.length >= 4 && id.startsWith(given));
  if (found && more.length === 0) return found;
  const problem = found ? `"${given}" fits several projects` : `There is no project "${given}"`;
  throw new CliError("usage", `${problem}: see turnwire projects.`);
}

async function perform(
  action: Action,
  access: ProjectAccess,
  invocation: ProjectsInvocation,
): Promise<readonly string[]> {
  const { json } = invocation.values;
  switch (action) {
    case "list": {
      const projects = await access.list();
      if (json) return projects.map((project) => JSON.stringify(project));
      return tableOf(projects, formatFor(invocation.stdout, invocation.env));
    }
    case "add": {
      const project = await add(access, invocation);
      if (json) return [JSON.stringify(project)];
      const { display_path, warning } = project;
      return [`Added ${safeLine(display_path)}.`, ...(warning === undefined ? [] : [warning])];
    }
    case "remove": {
      const project = await find(access, invocation);
      await access.remove(project.id);
      if (json) return [JSON.stringify({ id: project.id, removed: true })];
      return [`Removed ${safeLine(project.display_path)}. Its files and sessions stay.`];
    }
  }
}

export const projects = defineCommand({
  name: "projects",
  summary: "List, add and remove the directories that agents work in",
  usage: ["projects [list] [--json]", "projects add [DIR]", "projects remove DIR|ID"],
  details:
    "Sessions can be created in projects. With a server running, open pages show a change at once; without one, the next server has it. Removing a project keeps its files and its sessions, which can still be used. A server that was started with --root takes only directories inside its roots. With --json each project is one JSON object on a line of its own.",
  maxPositionals: 2,
  examples: [
    { command: "turnwire projects add ~/code/shop", meaning: "Let agents work there" },
    { command: "turnwire projects add", meaning: "Add the current directory" },
    { command: "turnwire projects", meaning: "List them, with branches and changes (*)" },
    { command: "turnwire projects remove ~/code/shop", meaning: "Take one out of the list" },
  ],
  async run(invocation) {
    const { values, env, home, stdout, stderr, positionals } = invocation;
    const action = actionFrom(positionals[0]);
    const access = await openProjects({
      url: values.url,
      dataDirectory: dataDirectoryFrom(values.data, invocation),
      env,
      home,
      onError: (error) => stderr.write(`turnwire: ${error.message}\n`),
    });
    try {
      for (const line of await perform(action, access, invocation)) stdout.write(`${line}\n`);
      return exitCode.ok;
    } finally {
      await access.close();
    }
  },
});
