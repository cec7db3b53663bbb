import { expect, test } from "vitest";
import {
  loadSettings,
  optionsIn,
  runtimeIn,
  saveSettings,
  settingsIn,
  withKnownProject,
  withOptions,
  withRuntime,
  withSetting,
} from "./settings.ts";

function storage(text: string | null = null) {
  let kept = text;
  return {
    getItem: () => kept,
    setItem: (_name: string, value: string) => {
      kept = value;
    },
  };
}

const none = { byProject: {} };
const inSite = { project: "/code/site", runtime: "claude" };

test("what was chosen is remembered for each project and each agent", () => {
  const place = storage();
  const chosen = withSetting(
    withSetting(withRuntime(none, "/code/site", "claude"), inSite, { model: "big" }),
    inSite,
    { effort: "high" },
  );
  saveSettings({ ...chosen, project: "/code/site" }, place);
  const loaded = loadSettings(place);
  expect(loaded.project).toBe("/code/site");
  expect(settingsIn(loaded, "/code/site", "claude")).toEqual({ model: "big", effort: "high" });
  expect(settingsIn(loaded, "/code/site", "codex")).toEqual({});
  expect(settingsIn(loaded, "/code/api", "claude")).toEqual({});
});

test("what was chosen before a project was known is chosen for it", () => {
  const earlier = withOptions(withSetting(none, inSite, { model: "big" }), "/code/site", {
    worktree: "new",
  });
  const early = { project: undefined, runtime: "claude" };
  const chosen = withSetting(
    withOptions(withRuntime(earlier, undefined, "claude"), undefined, { sandbox: "no_network" }),
    early,
    { effort: "high" },
  );
  const known = withKnownProject(chosen, "/code/site");
  expect(runtimeIn(known, "/code/site")).toBe("claude");
  expect(optionsIn(known, "/code/site")).toEqual({ worktree: "new", sandbox: "no_network" });
  expect(settingsIn(known, "/code/site", "claude")).toEqual({ model: "big", effort: "high" });
  expect(optionsIn(known, undefined)).toEqual({});
  expect(withKnownProject(chosen, undefined)).toBe(chosen);
  expect(withKnownProject(earlier, "/code/site")).toBe(earlier);
});

test("a project without a choice of its own takes the agent that was chosen last", () => {
  const chosen = withRuntime(withRuntime(none, "/code/site", "claude"), "/code/api", "codex");
  expect(runtimeIn(chosen, "/code/site")).toBe("claude");
  expect(runtimeIn(chosen, "/code/new")).toBe("codex");
  expect(runtimeIn(none, "/code/new")).toBeUndefined();
});

test("a setting can go back to the agent's default", () => {
  const chosen = withSetting(none, inSite, { model: "big" });
  const back = withSetting(chosen, inSite, { model: undefined });
  expect(settingsIn(back, "/code/site", "claude").model).toBeUndefined();
});

test("no policy is remembered as another choice than the server's default", () => {
  const place = storage();
  const api = { ...inSite, project: "/code/api" };
  const without = withSetting(none, inSite, { policy_mode: null });
  saveSettings(withSetting(without, api, { policy_mode: undefined }), place);
  const loaded = loadSettings(place);
  expect(settingsIn(loaded, "/code/site", "claude")).toEqual({ policy_mode: null });
  expect(settingsIn(loaded, "/code/api", "claude")).toEqual({});
});

test("worktree and budget are remembered for each project, and only what makes sense of them", () => {
  const place = storage();
  const budget = { turns: 3, tokens: -1 };
  saveSettings(withOptions(none, "/code/site", { worktree: "new", budget }), place);
  const loaded = loadSettings(place);
  expect(optionsIn(loaded, "/code/site")).toEqual({ worktree: "new", budget: { turns: 3 } });
  expect(optionsIn(loaded, "/code/api")).toEqual({});
});

test("only the projects that were used last are kept", () => {
  const place = storage();
  let settings = loadSettings(place);
  for (let index = 0; index < 60; index += 1) {
    settings = withRuntime(settings, `/code/${index}`, "demo");
  }
  saveSettings(withRuntime(settings, "/code/20", "codex"), place);
  const { byProject } = loadSettings(place);
  expect(Object.keys(byProject)).toHaveLength(50);
  expect(byProject["/code/20"]).toEqual({ runtime: "codex" });
  expect(byProject["/code/0"]).toBeUndefined();
});

test.each([
  null,
  "",
  "no json",
  "null",
  "[]",
  '{"runtime":1,"byProject":5}',
  '{"byProject":{"a":null,"b":{"runtime":{},"byRuntime":[1]}}}',
])("whatever is in the storage, settings come out: %j", (text) => {
  const settings = loadSettings(storage(text));
  expect(settings.runtime).toBeUndefined();
  expect(settingsIn(settings, "b", "0")).toEqual({});
});
