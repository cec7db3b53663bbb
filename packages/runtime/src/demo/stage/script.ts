import type { DemoMessage, NewerMessage } from "./message.ts";

/** A piece of a scenario: native messages, and in the end a value for the rest of the script. */
export type Script<Result = void> = AsyncGenerator<DemoMessage | NewerMessage, Result, void>;

/** Plays scripts side by side, one message of each in turn. */
export async function* interleave(scripts: readonly Script[]): Script {
  let playing = [...scripts];
  while (playing.length > 0) {
    const still: Script[] = [];
    for (const script of playing) {
      const next = await script.next();
      if (next.done) continue;
      yield next.value;
      still.push(script);
    }
    playing = still;
  }
}
