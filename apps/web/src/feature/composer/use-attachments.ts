import { detach } from "@turnwire/base";
import type { Capabilities } from "@turnwire/protocol";
import { useRef } from "react";
import { useKeptState } from "../session/session-memory.ts";
import { showError, showToast } from "../../element/toast.ts";
import { acceptedFiles, attachmentProblem, type Attachment } from "./attachment.ts";
import { readAttachment } from "./read-attachment.ts";

export interface Attachments {
  readonly list: readonly Attachment[];
  /** False if the runtime accepts no files. */
  readonly isPossible: boolean;
  /** The file types that the picker offers. */
  readonly accept: string;
  readonly add: (files: readonly File[]) => void;
  readonly remove: (id: string) => void;
  readonly replace: (list: readonly Attachment[]) => void;
}

/** The files that will go with the next message: lost on reload. */
export function useAttachments({
  images,
  documents,
}: Pick<Capabilities, "images" | "documents">): Attachments {
  const [list, setList] = useKeptState<readonly Attachment[]>("attachments", []);
  const latest = useRef(list);
  const replace = (next: readonly Attachment[]): void => {
    latest.current = next;
    setList(next);
  };
  const addOne = async (file: File): Promise<void> => {
    const attached = latest.current.reduce((sum, { bytes }) => sum + bytes, 0);
    const problem = attachmentProblem(file, { images, documents, attached });
    if (problem === undefined) replace([...latest.current, await readAttachment(file)]);
    else showToast(problem, { isError: true });
  };
  const addAll = async (files: readonly File[]): Promise<void> => {
    for (const file of files) await addOne(file);
  };
  return {
    list,
    isPossible: images || documents,
    accept: acceptedFiles({ images, documents }),
    add: (files) => detach(addAll(files), showError),
    remove: (gone) => replace(latest.current.filter((attachment) => attachment.id !== gone)),
    replace,
  };
}
