import { isObject } from "@turnwire/base";
import type { JsonValue, ToolBlock } from "@turnwire/protocol";
import { useMemo } from "react";
import { Prose } from "../../element/prose/prose.tsx";
import { DecisionNote } from "../policy/decision-note.tsx";
import { BlockFold } from "./block-fold.tsx";
import { CodeView } from "./code-view.tsx";
import { DiffView } from "./diff-view.tsx";
import { ImageView, StoredImage } from "./image-view.tsx";
import { attachmentWithin, useWhole } from "./stored-part.tsx";
import { Terminal } from "./terminal.tsx";
import { changedFiles } from "./tool-change.ts";
import style from "./tool-detail.module.css";
import { planOf } from "./tool-kind.ts";
import { toolOutput } from "./tool-output.ts";

/** A tool call's input and output, in the form that suits what it did. */
export function ToolDetail({ block: shown }: { readonly block: ToolBlock }) {
  const { value: block, more } = useWhole(shown);
  const { output, streamed, status } = block;
  const { text, images } = useMemo(() => toolOutput(output ?? streamed), [output, streamed]);
  return (
    <div className="stack gap-2">
      {block.policy && <DecisionNote decision={block.policy} />}
      <ToolText block={block} text={text} />
      <OriginalInput block={block} />
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
      {status === "abandoned" && <p className="small faint">It did not finish.</p>}
    </div>
  );
}

interface ToolTextProps {
  readonly block: ToolBlock;
  readonly text: string;
}

function ToolText({ block, text }: ToolTextProps) {
  const { input, command, file_path, is_file_read, status } = block;
  const files = useMemo(() => changedFiles(block), [block]);
  const plan = planOf(block);
  if (command !== undefined) return <Terminal command={command} output={text} label="Output" />;
  if (plan !== undefined) {
    return plan === "" ? (
      <p className="small faint">The agent gave no plan text.</p>
    ) : (
      <Prose text={plan} />
    );
  }
  if (files) {
    const diff = <DiffView id={`${block.key} diff`} files={files} />;
    if (status !== "failed" && status !== "abandoned") return diff;
    return (
      <>
        {text !== "" && <Terminal output={text} label="Output" />}
        <BlockFold id={`${block.key} proposed`} summary="The change that was not made">
          {diff}
        </BlockFold>
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

/** What the agent had asked for, where a person let it do something else. */
function OriginalInput({ block }: { readonly block: ToolBlock }) {
  const original = block.permission?.original_input;
  if (original === undefined) return null;
  const command = isObject(original) ? original["command"] : undefined;
  return (
    <div className="stack gap-1">
      <p className="small faint">You changed this before it ran. The agent asked for:</p>
      {typeof command === "string" ? (
        <pre className={style.value}>{command}</pre>
      ) : (
        <ToolInput input={original} />
      )}
    </div>
  );
}

function ToolInput({ input }: { readonly input: JsonValue | undefined }) {
  if (input === undefined || input === null || input === "") return null;
  if (typeof input !== "object" || Array.isArray(input)) {
    return <pre className={style.value}>{valueText(input)}</pre>;
  }
  return (
    <dl className={`stack gap-1 ${style.input}`}>
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
