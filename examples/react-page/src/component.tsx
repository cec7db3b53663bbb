import { createRegistry, type ComponentProps } from "@turnwire/react";
import { useState, type ReactNode } from "react";
import * as z from "zod";

const TableProps = z.object({
  title: z.string(),
  columns: z.array(z.string()),
  rows: z.array(z.array(z.union([z.string(), z.number()]))),
  actions: z.array(z.string()).default([]),
});

function Table({ props, callback }: ComponentProps<z.infer<typeof TableProps>>): ReactNode {
  return (
    <figure>
      <figcaption>{props.title}</figcaption>
      <table>
        <thead>
          <tr>
            {props.columns.map((column) => (
              <th key={column}>{column}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {props.rows.map((row) => (
            <tr key={row.join()}>
              {row.map((cell) => (
                <td key={cell}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {props.actions.map((action) => (
        <button key={action} onClick={() => void callback(action)}>
          {action}
        </button>
      ))}
    </figure>
  );
}

const ProgressProps = z.object({ title: z.string(), percent: z.number() });

function Progress({ props }: ComponentProps<z.infer<typeof ProgressProps>>): ReactNode {
  return (
    <label>
      {props.title} <progress max={100} value={props.percent} />
    </label>
  );
}

const ChartProps = z.object({ title: z.string().default("Chart"), data: z.array(z.number()) });

function Chart({ props }: ComponentProps<z.infer<typeof ChartProps>>): ReactNode {
  const highest = Math.max(...props.data, 1);
  const width = 100 / props.data.length;
  const bars = props.data.map((value, index) => ({ value, x: index * width }));
  return (
    <figure>
      <figcaption>{props.title}</figcaption>
      <svg viewBox="0 0 100 50" role="img" aria-label={`${props.title}: ${props.data.join(", ")}`}>
        {bars.map(({ value, x }) => {
          const height = (50 * value) / highest;
          return <rect key={x} x={x} y={50 - height} width={width * 0.8} height={height} rx={1} />;
        })}
      </svg>
    </figure>
  );
}

const PlanEditorProps = z.object({
  title: z.string().default("Plan"),
  steps: z.array(z.object({ text: z.string() })),
});

const Steps = z.array(z.string());

/** A plan to reorder: what was not sent yet is there again after a reload. */
function PlanEditor(editor: ComponentProps<z.infer<typeof PlanEditorProps>>): ReactNode {
  const { props, callback, unsent } = editor;
  const [edited, setEdited] = useState(() => Steps.safeParse(unsent.load()).data);
  // The agent's plan when the edited one was sent: its next one takes the place of both.
  const [sentFor, setSentFor] = useState<string>();
  const planned = props.steps.map(({ text }) => text);
  const isReplaced = sentFor !== undefined && sentFor !== planned.join("\n");
  const steps = isReplaced ? planned : (edited ?? planned);
  const moveUp = (index: number): void => {
    const moved = steps
      .toSpliced(index, 1)
      .toSpliced(index - 1, 0, ...steps.slice(index, index + 1));
    setEdited(moved);
    setSentFor(undefined);
    unsent.save(moved);
  };
  const save = async (): Promise<void> => {
    await callback("save", { steps: steps.map((text) => ({ text })) });
    unsent.save(undefined);
    setSentFor(planned.join("\n"));
  };
  return (
    <figure>
      <figcaption>{props.title}</figcaption>
      <ol>
        {steps.map((text, index) => (
          <li key={`${index} ${text}`}>
            {text}{" "}
            <button
              aria-label={`Move step ${index + 1} up`}
              disabled={index === 0}
              onClick={() => moveUp(index)}
            >
              ↑
            </button>
          </li>
        ))}
      </ol>
      <button onClick={() => void save()}>Save</button>
    </figure>
  );
}

const ApprovalProps = z.object({
  action: z.string(),
  details: z.string().optional(),
  options: z.array(z.string()).default(["approve", "reject"]),
});

/** Waits for a choice; from then on it shows what was chosen. */
function Approval(approval: ComponentProps<z.infer<typeof ApprovalProps>>): ReactNode {
  const { props, respond, progress, value } = approval;
  return (
    <figure>
      <figcaption>{props.action}</figcaption>
      <p>{props.details}</p>
      {respond
        ? props.options.map((choice) => (
            <button
              key={choice}
              disabled={progress?.status === "responding"}
              onClick={() => respond({ choice })}
            >
              {choice}
            </button>
          ))
        : `Ended: ${JSON.stringify(value ?? progress?.outcome)}`}
    </figure>
  );
}

/** Components that agents can show here; the demo agent does so with /components and /interrupt. */
export const registry = createRegistry({
  table: { component: Table, surfaces: ["chat", "panel"], parse: TableProps },
  progress: { component: Progress, surfaces: ["sidebar"], parse: ProgressProps },
  chart: { component: Chart, surfaces: ["chat", "panel", "canvas"], parse: ChartProps },
  plan_editor: { component: PlanEditor, surfaces: ["sidebar", "panel"], parse: PlanEditorProps },
  approval: { component: Approval, surfaces: ["chat", "overlay"], parse: ApprovalProps },
});
