import picocolors from "picocolors";

type Colors = ReturnType<typeof picocolors.createColors>;

/** How text may look where it goes: its width in columns (Infinity: never wrapped) and its colours. */
export interface Format {
  readonly width: number;
  readonly colors: Colors;
}

/** What a stream says of the terminal behind it. */
interface Output {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

function hasColors(output: Output, env: NodeJS.ProcessEnv): boolean {
  if (env["NO_COLOR"]) return false;
  if (env["FORCE_COLOR"]) return env["FORCE_COLOR"] !== "0";
  return output.isTTY === true && env["TERM"] !== "dumb";
}

const NARROWEST = 20;
const NARROWEST_INDENTED = 8;

/** The format for a stream: wrapped and coloured on a terminal, plain elsewhere; NO_COLOR and FORCE_COLOR apply. */
export function formatFor(output: Output, env: NodeJS.ProcessEnv): Format {
  const columns = output.columns ?? 80;
  return {
    width: output.isTTY ? Math.max(NARROWEST, columns) : Infinity,
    colors: picocolors.createColors(hasColors(output, env)),
  };
}

/** The same format for text that stands `columns` further right. */
export function indented(format: Format, columns: number): Format {
  return { ...format, width: Math.max(NARROWEST_INDENTED, format.width - columns) };
}
