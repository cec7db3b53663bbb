import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import type { AgentPair } from "./agent-pair.ts";
import { planId, scene, sceneGate, sceneGates, scenePrompt } from "./component-scene.ts";

/** Where the scene is played: one session of one agent, in the pages of one kind. */
export interface ComponentStage {
  readonly pair: AgentPair;
  readonly runtime: string;
  /** A new tab of the session, in the same browser profile as the others. */
  readonly openTab: (sessionId: string) => Promise<Page>;
  /** The steps of the plan in the sidebar, as they stand there. */
  readonly readSteps: (page: Page) => Promise<readonly string[]>;
  /** Looks at the page while the approval waits. */
  readonly whileAsked?: (page: Page) => Promise<void>;
}

/** The content of the scene's components. */
export interface Picture {
  readonly bars: readonly number[];
  readonly steps: readonly string[];
  /** The person's actions in components, as the chat shows them. */
  readonly done: readonly string[];
  readonly answers: readonly (string | undefined)[];
}

/** How the scene ends. */
export const lastPicture: Picture = {
  bars: scene.data,
  steps: scene.reordered,
  done: ["plan editor: save"],
  answers: ["approve"],
};

/** Plays the scene in a page. Gives what it shows after a reload, and what a second tab shows. */
export async function playScene(stage: ComponentStage): Promise<readonly [Picture, Picture]> {
  const { pair, runtime } = stage;
  const standin = runtime === "claude" ? pair.agents.anthropic : pair.agents.openai;
  const session = await pair.client.sessions.create({
    runtime,
    cwd: pair.newProject(),
    title: "Plan the release",
  });
  const id = session.session_id;
  const page = await stage.openTab(id);
  const expectPicture = async (tab: Page, picture: Partial<Picture>): Promise<void> => {
    await expect.poll(() => pictureOf(tab, stage)).toMatchObject(picture);
  };

  await send(page, scenePrompt(id));
  for (const [index, gate] of sceneGates.entries()) {
    await expectPicture(page, { bars: scene.data.slice(0, index + 1), steps: [] });
    standin.release(sceneGate(id, gate));
  }
  await spoken(page, scene.invitation).waitFor();
  await expectPicture(page, { bars: scene.data, steps: scene.plan, done: [], answers: [] });
  await expect.poll(async () => (await pair.client.sessions.get(id)).activity).toBe("idle");

  // By keyboard: the last step goes to the front.
  await page.getByRole("button", { name: "Move step 3 up" }).press("Enter");
  await page.getByRole("button", { name: "Move step 2 up" }).press("Enter");
  await expectPicture(page, { steps: scene.reordered });
  await page.getByRole("button", { name: "Save" }).press("Enter");
  const prompted = await standin.request(({ call }) => call?.prompt.includes(planId(id)) === true);
  const steps = scene.reordered.map((text) => ({ text }));
  expect(prompted.call?.prompt).toBe(
    `The person used the component plan_editor (component_id ${planId(id)}): save\n${JSON.stringify({ steps })}`,
  );

  const approve = (tab: Page) => tab.getByRole("button", { name: /^approve$/i });
  await approve(page).waitFor();
  await expectPicture(page, { ...lastPicture, answers: [] });
  await stage.whileAsked?.(page);
  const second = await stage.openTab(id);
  await approve(second).waitFor();
  await approve(page).click();
  for (const tab of [page, second]) {
    await spoken(tab, scene.end).waitFor();
    await expectPicture(tab, lastPicture);
  }
  await page.reload();
  await spoken(page, scene.end).waitFor();
  await expectPicture(page, lastPicture);
  return [await pictureOf(page, stage), await pictureOf(second, stage)];
}

async function send(page: Page, text: string): Promise<void> {
  await page.getByRole("textbox", { name: "Message", exact: true }).fill(text);
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await spoken(page, text).waitFor();
}

function spoken(page: Page, text: string): Locator {
  return page.getByRole("article").getByText(text).first();
}

/** Each kind of page words an answer in its own way. */
const answered = /\b(?:Answer|Answered|Ended): .*?(approve|reject)/;

async function pictureOf(page: Page, { readSteps }: ComponentStage): Promise<Picture> {
  const charts = page.getByRole("img", { name: /: \d+/ });
  const labels = await charts.evaluateAll((images) => images.map(({ ariaLabel }) => ariaLabel));
  const done = await page.getByText(/plan.editor: save/i).allInnerTexts();
  const answers = await page.getByText(answered).allInnerTexts();
  return {
    bars: labels.flatMap((label) => label?.match(/\d+/g) ?? []).map(Number),
    steps: await readSteps(page),
    done: done.map((words) => words.toLowerCase().replace("_", " ").replace("you used ", "")),
    answers: answers.map((words) => answered.exec(words)?.[1]),
  };
}
