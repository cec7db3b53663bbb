import { useRef } from "react";
import { IconButton } from "../../element/icon-button.tsx";

interface AttachButtonProps {
  readonly accept: string;
  readonly onFiles: (files: readonly File[]) => void;
}

/** Picks files to send along. */
export function AttachButton({ accept, onFiles }: AttachButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept={accept}
        aria-label="Files to attach"
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])]);
          currentTarget.value = "";
        }}
      />
      <IconButton icon="paperclip" label="Attach files" onClick={() => input.current?.click()} />
    </>
  );
}
