import { describe, expect, test } from "vitest";
import { resumeCommand } from "./resume-command.ts";

const id = "11111111-1111-4111-8111-111111111111";

describe("the command that hands a session back to the CLI", () => {
  test.each([
    ["/work/project", `cd /work/project && claude --resume ${id}`],
    ["/my work/it's", `cd '/my work/it'\\''s' && claude --resume ${id}`],
    ["/a;rm -rf $HOME", `cd '/a;rm -rf $HOME' && claude --resume ${id}`],
  ])("starts in the session's directory: %s", (cwd, line) => {
    expect(resumeCommand({ providerSessionId: id, cwd })).toBe(line);
  });

  test.each([`${id}@start`, `${id}@${id}`, "no id; reboot"])("is not there for %s", (place) => {
    expect(resumeCommand({ providerSessionId: place, cwd: "/" })).toBeUndefined();
  });
});
