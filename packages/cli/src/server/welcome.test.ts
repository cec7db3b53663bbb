import { noCapabilities, type Project, type RuntimeInfo } from "@turnwire/protocol";
import { describe, expect, test } from "vitest";
import type { ServerConfiguration } from "../configuration/configuration.ts";
import { formatFor } from "../terminal/format.ts";
import { welcome, type WelcomeFacts } from "./welcome.ts";

const format = formatFor({}, {});
const place = { home: "/home/ann", dataDirectory: "/srv/data" };
const configuration = {
  ...place,
  store: { type: "sqlite", path: "/srv/data/turnwire.db", durability: "durable" },
} as ServerConfiguration;

function runtime(label: string, connection: RuntimeInfo["connection"], isDefault = false) {
  const name = label.toLowerCase();
  const rest = { is_default: isDefault, is_available: true, capabilities: noCapabilities };
  return { name, label, connection, ...rest };
}

const steps = [{ text: "Log in", command: "codex login" }];
const facts: WelcomeFacts = {
  version: "1.2.3",
  url: "http://127.0.0.1:4747",
  loginUrl: "http://127.0.0.1:4747/login/code",
  tokenFile: "/srv/data/token",
  runtimes: [
    runtime("Demo", { status: "scripted" }),
    runtime("Claude", { status: "connected", account: "API key in ANTHROPIC_API_KEY" }, true),
    runtime("Codex", { status: "not_connected", steps }),
    runtime("Codex (exec)", { status: "not_connected", steps }),
  ],
  projects: [],
};

describe("what a person reads when the server is ready", () => {
  test("is the state of each agent, with the next step said once", () => {
    const text = welcome(facts, configuration, format);
    expect(text).toMatch(/Agents +● Demo +scripted, touches nothing\n/);
    expect(text).toMatch(/● Claude +connected \(API key in ANTHROPIC_API_KEY, default\)\n/);
    expect(text).toMatch(/○ Codex +not connected\n +Log in: codex login\n +○ Codex \(exec\) +not/);
    expect(text.match(/codex login/g)).toHaveLength(1);
  });

  test("are commands that reach this server", () => {
    const text = welcome(facts, configuration, format);
    expect(text).toContain("npx turnwire chat --data /srv/data\n");
    expect(text).toContain("npx turnwire login --data /srv/data\n");
    const usual = { ...configuration, dataDirectory: "/home/ann/.turnwire" };
    expect(welcome(facts, usual, format)).toContain("npx turnwire chat\n");
  });

  test("are the projects, or how to add one", () => {
    expect(welcome(facts, configuration, format)).toMatch(
      /Projects +none yet: npx turnwire projects add DIR --data/,
    );
    const project = (name: string) =>
      ({ display_path: `~/${name}`, git: { branch: "main" } }) as Project;
    const projects = ["a", "b", "c", "d", "e"].map(project);
    const text = welcome({ ...facts, projects }, configuration, format);
    expect(text).toMatch(/Projects +~\/a \(main\)\n +~\/b \(main\)\n/);
    expect(text).toContain("and 2 more: npx turnwire projects --data /srv/data");
  });

  test("leaves out links where there is nothing to log in to", () => {
    const open = { ...facts, loginUrl: undefined, tokenFile: undefined };
    const text = welcome(open, configuration, format);
    expect(text).not.toContain("turnwire login");
    expect(text).not.toContain("works once");
    expect(text).toContain("off: this machine only");
  });
});
