import { describe, expect, test } from "vitest";
import { resumeCommand } from "./resume-command.ts";

const providerSessionId = "01a1ddf3-35e6-7b70-aa2c-3ec88507d606";
const env = { HOME: "/home/somebody" };

describe("the command that resumes a thread in a terminal", () => {
  test("names no home where it is Codex's own", () => {
    const line = resumeCommand(
      { providerSessionId, cwd: "/srv/project" },
      { home: "/home/somebody/.codex", env },
    );
    expect(line).toBe(`cd /srv/project && codex resume ${providerSessionId}`);
  });

  test("names a private home, and quotes what a shell would take apart", () => {
    const line = resumeCommand(
      { providerSessionId, cwd: "/srv/it's mine" },
      { home: "/srv/data dir/codex", env },
    );
    expect(line).toBe(
      `cd '/srv/it'\\''s mine' && CODEX_HOME='/srv/data dir/codex' codex resume ${providerSessionId}`,
    );
  });

  test("takes the thread out of the archive first", () => {
    const line = resumeCommand(
      { providerSessionId, cwd: "/srv", isArchived: true },
      { home: "/srv/codex", env },
    );
    const codex = "CODEX_HOME=/srv/codex codex";
    expect(line).toBe(
      `cd /srv && ${codex} unarchive ${providerSessionId} && ${codex} resume ${providerSessionId}`,
    );
  });
});
