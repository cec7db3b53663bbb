/** What `turnwire run` leaves behind: sessions of both real agents that the web app opens. */
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import {
  agentMessage,
  conversation,
  expectVisible,
  openPage,
} from "../apps/web/src/test-support/browser.ts";
import { builtApp } from "../apps/web/src/test-support/built-app.ts";
import { TestMachine } from "../packages/cli/src/test-support/cli-run.ts";
import { loopTask, teachWorkByClaude } from "./support/loop-scenario.ts";
import { StandinAgents } from "./support/standin-agents.ts";

let agents: StandinAgents;
let machine: TestMachine;

beforeAll(async () => {
  agents = await StandinAgents.start();
  machine = await TestMachine.create({ TURNWIRE_STORE: "sqlite" });
  machine.createRuntimes = async () => agents.runtimes();
});

afterAll(async () => {
  await machine.remove();
  await agents.close();
});

test("a loop of two agents that ran without a server is there when one is started", async () => {
  teachWorkByClaude(agents);
  const path = join(machine.cwd, "greeting.txt");
  const loop = ["--runtime", "claude", "--review", "codex", "--until", "DONE"];
  const args = ["run", loopTask(path), "--policy-mode", "implementation", ...loop];
  const { code, stdout, stderr } = await machine.run(args);
  expect({ code, stdout, stderr }).toEqual({
    code: 0,
    stdout: "I corrected it.\nDONE\n",
    stderr: "",
  });

  const server = machine.start(["serve", "--json", "--port", "0"], { webRoot: await builtApp() });
  onTestFinished(async () => {
    server.signal("SIGTERM");
    await server.exited;
  });
  const [line] = await server.stdout.until(/^.*\n/);
  const { login_url: loginUrl } = JSON.parse(line) as { login_url: string };
  const { page } = await openPage();
  await page.goto(loginUrl);
  const title = `SCENARIO:greet ${path}`;
  const sessions = page.getByRole("link");
  await sessions.filter({ hasText: "Review 1: " }).click();
  await expectVisible(agentMessage(page).getByText("It is misspelt."));
  await sessions.filter({ hasText: "Review 2: " }).click();
  await expectVisible(agentMessage(page).getByText("It says hello."));
  await sessions.filter({ hasText: title }).filter({ hasNotText: "Review" }).click();
  await expectVisible(agentMessage(page).getByText("I corrected it."));
  await expectVisible(conversation(page).getByText("I wrote it."));
  await expectVisible(conversation(page).getByText(/^A reviewer looked at the work/));
});
