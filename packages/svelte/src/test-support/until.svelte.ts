import { tick } from "svelte";

/** Resolves once the condition, which reads reactive state, holds and the page shows it. */
export async function until(condition: () => boolean): Promise<void> {
  let stop = (): void => {};
  await new Promise<void>((resolve) => {
    stop = $effect.root(() => {
      $effect(() => {
        if (condition()) resolve();
      });
    });
  });
  stop();
  await tick();
}
