import { describe, expect, test } from "vitest";
import { addRelease, dateUnreleased, unreleasedVersion } from "./changelog.ts";

const prepared = "# Changelog\n\nNotable changes.\n\n## 0.1.0 (unreleased)\n\nThe first release.\n";

describe("the changelog", () => {
  test("knows the version that it prepares, and dates it", () => {
    expect(unreleasedVersion(prepared)).toBe("0.1.0");
    const released = dateUnreleased(prepared, "2026-11-16");
    expect(released).toBe(prepared.replace("unreleased", "2026-11-16"));
    expect(unreleasedVersion(released)).toBeUndefined();
  });

  test("lists a new release above the older ones, a list item per changeset", () => {
    const summaries = ["**Fast**: twice as fast.\n", "Two paragraphs.\n\nThe second."];
    const release = { version: "0.2.0", date: "2026-12-01", summaries };
    expect(addRelease(dateUnreleased(prepared, "2026-11-16"), release)).toBe(
      [
        "# Changelog",
        "",
        "Notable changes.",
        "",
        "## 0.2.0 (2026-12-01)",
        "",
        "- **Fast**: twice as fast.",
        "- Two paragraphs.",
        "",
        "  The second.",
        "",
        "## 0.1.0 (2026-11-16)",
        "",
        "The first release.",
        "",
      ].join("\n"),
    );
  });

  test("starts with the first release", () => {
    const release = { version: "0.1.0", date: "2026-11-16", summaries: ["Begun."] };
    expect(addRelease("# Changelog\n", release)).toBe(
      "# Changelog\n\n## 0.1.0 (2026-11-16)\n\n- Begun.\n",
    );
  });
});
