import type { DemoSteps } from "@turnwire/conformance";
import { demo } from "@turnwire/runtime/demo";
import { startAppServer } from "./app-server.ts";

/** A turn that continues until it is stopped, word by word. */
export function steppedServer(steps: DemoSteps) {
  return startAppServer({ runtimes: [demo({ pace: steps })] });
}

/** Until the turn has been stopped: how often anything in the first answer was changed. */
export function changesOfFirstAnswer(list: Element): Promise<number> {
  const answer = list.querySelector("article[aria-label=Agent]");
  let count = 0;
  const observer = new MutationObserver((records) => {
    count += records.length;
  });
  const everything = { attributes: true, characterData: true, childList: true, subtree: true };
  if (answer) observer.observe(answer, everything);
  return new Promise((resolve) => {
    const end = new MutationObserver(() => {
      if (!list.querySelector("footer")?.parentElement || !/Stopped/.test(list.textContent)) return;
      end.disconnect();
      observer.disconnect();
      resolve(count);
    });
    end.observe(list, everything);
  });
}
