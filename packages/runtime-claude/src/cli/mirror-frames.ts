import { errorText } from "@turnwire/base";
import * as z from "zod";
import type { TranscriptMirror } from "../transcript/transcript-mirror.ts";

/** What a CLI that was started with `--session-mirror` sends after it has written lines of a transcript (2.1.325). */
const Frame = z.object({
  type: z.literal("transcript_mirror"),
  filePath: z.string(),
  entries: z.array(z.looseObject({ type: z.string() })),
});

type MirroredKey = Parameters<TranscriptMirror["append"]>[0];

const id = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
const pathPattern = new RegExp(`/([^/]+)/(${id})(?:/(.+))?\\.jsonl$`);

/** Takes the transcript out of what a CLI says. */
export class MirrorFrames {
  readonly #mirror: TranscriptMirror | undefined;
  readonly #onProblem: (message: unknown) => void;
  #stored: Promise<void> = Promise.resolve();

  /** `onProblem` gets what the SDK would say of lines that could not be stored. */
  constructor(mirror: TranscriptMirror | undefined, onProblem: (message: unknown) => void) {
    this.#mirror = mirror;
    this.#onProblem = onProblem;
  }

  /** Resolves when all that was taken is stored, or said not to be. */
  get stored(): Promise<void> {
    return this.#stored;
  }

  /** Whether the message was one of these frames. */
  take(message: unknown): boolean {
    const { data } = Frame.safeParse(message);
    if (!data) return false;
    const key = keyFromPath(data.filePath);
    if (key && this.#mirror) {
      this.#stored = this.#mirror.append(key, data.entries).catch((error: unknown) => {
        this.#onProblem({ type: "system", subtype: "mirror_error", error: errorText(error) });
      });
    }
    return true;
  }
}

/** Which transcript a file is: `…/<project>/<id>.jsonl`, or a part of it in `…/<project>/<id>/`. */
export function keyFromPath(path: string): MirroredKey | undefined {
  const [, projectKey, sessionId, subpath] = pathPattern.exec(path.replaceAll("\\", "/")) ?? [];
  if (projectKey === undefined || sessionId === undefined) return undefined;
  return { projectKey, sessionId, ...(subpath !== undefined && { subpath }) };
}
