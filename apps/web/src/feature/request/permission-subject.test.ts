import { expect, test } from "vitest";
import { permissionReason, permissionSubject, permissionTitle } from "./permission-subject.ts";

test("a command is shown as a command, with where it runs", () => {
  const subject = permissionSubject({
    tool_name: "shell",
    tool_input: { command: "npm test", cwd: "/code", description: "Run the tests" },
  });
  expect(subject).toEqual({ type: "command", command: "npm test", place: "/code" });
  expect(permissionTitle(subject, "shell")).toBe("Run this command?");
});

test("an input with more in it than a command is shown whole, so that nothing is allowed unseen", () => {
  const tool_input = { command: "npm test", dangerouslyDisableSandbox: true };
  const subject = permissionSubject({ tool_name: "Bash", tool_input });
  expect(subject).toEqual({ type: "input", input: tool_input });
  expect(permissionTitle(subject, "Bash")).toBe("Use Bash?");
});

test("a change of a file is shown as a diff", () => {
  const edit = { file_path: "a.ts", old_string: "one", new_string: "two" };
  const subject = permissionSubject({
    tool_name: "Edit",
    tool_input: { ...edit, replace_all: false },
  });
  expect(subject).toMatchObject({ type: "change", files: [{ path: "a.ts" }] });
  expect(permissionTitle(subject, "Edit")).toBe("Change a.ts?");
  const everywhere = permissionSubject({
    tool_name: "Edit",
    tool_input: { ...edit, replace_all: true },
  });
  expect(everywhere.type).toBe("input");
});

test("a plan is shown as a plan, whichever tool brings it", () => {
  const subject = permissionSubject({
    tool_name: "ExitPlanMode",
    tool_input: { plan: "# Do it" },
    context: { plan: "# Do it" },
  });
  expect(subject).toEqual({ type: "plan", plan: "# Do it" });
});

test("the reason is the first one given", () => {
  const asked = { tool_name: "Bash", tool_input: {} };
  expect(permissionReason({ ...asked, context: { description: "b", reason: "a" } })).toBe("a");
  expect(permissionReason({ ...asked, context: { reason: "" } })).toBeUndefined();
  expect(permissionReason(asked)).toBeUndefined();
});
