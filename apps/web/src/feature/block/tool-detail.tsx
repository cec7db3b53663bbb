import type { JsonValue, ToolBlock } from "@turnwire/protocol";
import { useMemo } from "react";
import { CodeView } from "./code-view.tsx";
import { DiffView } from "./diff-view.tsx";
import { ImageView } from "./image-view.tsx";
import { StoredImage } from "./stored-image.tsx";
import { attachmentWithin, useWhole } from "./stored-part.tsx";
import { Terminal } from "./terminal.tsx";
import { changedFiles } from "./tool-change.ts";
import style from "./tool-detail.module.css";
import { toolOutput } from "./tool-output.ts";

/** A tool call's input and output, in the form that suits what it did. */
export function ToolDetail({ block: shown }: { readonly block: ToolBlock }) {
  const { value: block, more } = useWhole(shown);
  const { output, streamed, status } = block;
  const { text, images } = useMemo(() => toolOutput(output ?? streamed), [output, streamed]);
  return (
    <div className={style.detail}>
      <ToolText block={block} text={text} />
      {more}
      {images.map(({ path, ...image }, index) => {
        const label = `Image ${index + 1} of ${block.tool}`;
        const attachment = image.data === "" ? attachmentWithin(block, path) : undefined;
        return attachment ? (
          <StoredImage key={index} attachment={attachment} label={label} />
        ) : (
          <ImageView key={index} {...image} label={label} />
        );
      })}
      {status === "abandoned" && <p className={style.remark}>It did not finish.</p>}
    </div>
  );
}

interface ToolTextProps {
  readonly block: ToolBlock;
  readonly text: string;
}

function ToolText({ block, text }: ToolTextProps) {
  const { tool, input, command, file_path, is_file_read, status } = block;
  const files = useMemo(
    () => changedFiles({ tool, ...(input !== undefined && { input }) }),
    [tool, input],
  );
  if (command !== undefined) return <Terminal command={command} output={text} label="Output" />;
  if (files) {
    return (
      <>
        <DiffView id={`${block.key} diff`} files={files} />
        {status === "failed" && text !== "" && <Terminal output={text} label="Output" />}
      </>
    );
  }
  if (is_file_read === true && file_path !== undefined && status === "done" && text !== "") {
    return <CodeView text={text} path={file_path} />;
  }
  return (
    <>
      <ToolInput input={input ?? block.partial_input} />
      {text !== "" && <Terminal output={text} label="Output" />}
    </>
  );
}

function ToolInput({ input }: { readonly input: JsonValue | undefined }) {
  if (input === undefined || input === null || input === "") return null;
  if (typeof input !== "object" || Array.isArray(input)) {
    return <pre className={style.value}>{valueText(input)}</pre>;
  }
  return (
    <dl className={style.input}>
      {Object.entries(input).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <pre className={style.value}>{valueText(value)}</pre>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function valueText(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}
