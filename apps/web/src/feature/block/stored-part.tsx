import { detach } from "@turnwire/base";
import type { Attachment, HasAttachments } from "@turnwire/protocol";
import { useSession } from "@turnwire/react";
import { useState, type ReactNode } from "react";
import { showError } from "../../element/toast.ts";
import { sizeText } from "../../element/figure.ts";
import style from "./stored-part.module.css";

/** Larger texts are offered for download only. */
const SHOWN_BYTES = 20_000_000;

interface Whole<Value> {
  /** With previews, or with the whole texts once they are loaded. */
  readonly value: Value;
  /** Buttons to show or download all of it; nothing if it is complete. */
  readonly more: ReactNode;
}

/** A block or message whose long texts are stored as attachments, loaded on demand. */
export function useWhole<Value extends HasAttachments>(shown: Value): Whole<Value> {
  const session = useSession();
  const [loaded, setLoaded] = useState<{ readonly from: Value; readonly whole: Value }>();
  const [isOpen, setOpen] = useState(false);
  const [isLoading, setLoading] = useState(false);
  const texts = (shown.attachments ?? []).filter((part) => !isImage(part));
  if (texts.length === 0) return { value: shown, more: null };
  const isLoaded = loaded?.from === shown;
  const bytes = texts.reduce((sum, { size }) => sum + size, 0);
  const open = async (): Promise<void> => {
    setLoading(true);
    try {
      if (!isLoaded) {
        const whole = await session.restore({ ...shown, attachments: texts });
        setLoaded({ from: shown, whole: { ...whole, attachments: shown.attachments } });
      }
      setOpen(true);
    } finally {
      setLoading(false);
    }
  };
  const isShown = isLoaded && isOpen;
  const more = (
    <div className={`row gap-2 tiny faint ${style.part}`}>
      {bytes <= SHOWN_BYTES && (
        <button
          type="button"
          aria-expanded={isShown}
          aria-busy={isLoading}
          onClick={() => (isShown ? setOpen(false) : detach(open(), showError))}
        >
          {isShown ? "Show less" : `Show all (${sizeText(bytes)})`}
        </button>
      )}
      {texts.map((part) => (
        <button
          key={part.path}
          type="button"
          onClick={() =>
            detach(
              save(part, (digest) => session.attachment(digest)),
              showError,
            )
          }
        >
          {texts.length === 1 ? "Download" : `Download ${nameOf(part)}`}
        </button>
      ))}
      <span role="status">{isLoading ? "Loading…" : ""}</span>
    </div>
  );
  return { value: isShown ? loaded.whole : shown, more };
}

/** The attachment within a part of a block or message, such as an image's data. */
export function attachmentWithin(
  { attachments = [] }: HasAttachments,
  path: string,
): Attachment | undefined {
  return attachments.find((part) => part.path.startsWith(`${path}/`));
}

function isImage({ media_type }: Attachment): boolean {
  return media_type.startsWith("image/");
}

function nameOf({ path }: Attachment): string {
  return path.split("/").at(-1) ?? "";
}

async function save(
  part: Attachment,
  load: (digest: string) => Promise<Uint8Array>,
): Promise<void> {
  const bytes = await load(part.digest);
  const url = URL.createObjectURL(new Blob([Uint8Array.from(bytes)], { type: part.media_type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = `${nameOf(part)}.${part.encoding === "json" ? "json" : "txt"}`;
  link.click();
  URL.revokeObjectURL(url);
}
