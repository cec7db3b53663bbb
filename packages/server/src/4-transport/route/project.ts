import {
  AddProject,
  DirectoryList,
  DirectoryQuery,
  Project,
  ProjectList,
  validate,
} from "@turnwire/protocol";
import type { Projects } from "@turnwire/workspace";
import { json, empty, refused, type Route } from "@turnwire/wire";

/** The directories in which sessions can be created, and the picker that finds more of them. */
export function projectRoutes(projects: Projects): Route[] {
  return [
    {
      method: "GET",
      path: "/projects",
      summary: "List the directories in which sessions can be created",
      access: "read",
      answers: { 200: { description: "The projects", schema: ProjectList } },
      handle: async (call) => json(200, await projects.list(call.principal)),
    },
    {
      method: "POST",
      path: "/projects",
      summary: "Add a directory as a project; 200 where it was one already",
      access: "admin",
      body: AddProject,
      answers: { 201: { description: "The project", schema: Project } },
      async handle(call) {
        const input = await call.readJson();
        if (!input.ok) return refused(input.error);
        const body = validate(AddProject, input.value);
        if (!body.ok) return refused(body.error);
        const added = await projects.add(body.value.path);
        if (!added.ok) return refused(added.error);
        return json(added.value.isNew ? 201 : 200, added.value.project);
      },
    },
    {
      method: "DELETE",
      path: "/projects/{project_id}",
      summary: "Take a project out of the list; its sessions and files stay",
      access: "admin",
      answers: { 204: { description: "It is no longer a project" } },
      async handle(call) {
        const removed = await projects.remove(call.params["project_id"] ?? "");
        return removed.ok ? empty(204) : refused(removed.error);
      },
    },
    {
      method: "GET",
      path: "/directories",
      summary: "List the directories in a directory, for a picker",
      access: "admin",
      query: DirectoryQuery,
      answers: { 200: { description: "The directories in it", schema: DirectoryList } },
      async handle(call) {
        const query = validate(DirectoryQuery, Object.fromEntries(call.query));
        if (!query.ok) return refused(query.error);
        const listed = await projects.directories(query.value.path);
        return listed.ok ? json(200, listed.value) : refused(listed.error);
      },
    },
  ];
}
