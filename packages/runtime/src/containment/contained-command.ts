import { shellWord } from "../process/shell-word.ts";
import { bubblewrapArguments } from "./bubblewrap.ts";
import { type Confinement, credentialVariables } from "./confinement.ts";
import { seatbeltProfile } from "./seatbelt.ts";

export interface Containment {
  readonly program: "bwrap" | "sandbox-exec";
  /** The path of that program. */
  readonly path: string;
  /** The shell that policies read. */
  readonly shell: string;
}

export interface ContainedCommand {
  readonly command: string;
  readonly cwd: string;
  readonly confinement: Confinement;
}

/** Runs its first argument and reports on descriptor 4 where that ended up, as a shell that stays would. */
const runner = 'eval "$1" 4>&-\nstatus=$?\npwd -P >&4\nexit "$status"';

/** The longest command line that one argument of a program may be on Linux, with room for what an agent adds. */
const maxLength = 100_000;

/**
 * A line for bash that runs a command contained and then stands where the command ended, with its status; undefined
 * where it would be too long. Processes that the command leaves behind end with it.
 */
export function containedCommand(
  containment: Containment,
  { command, cwd, confinement }: ContainedCommand,
): string | undefined {
  const unset = credentialVariables.flatMap((name) => ["-u", name]);
  const words = ["env", ...unset, ...launcher(containment, confinement, cwd)];
  const inner = [containment.shell, "--noprofile", "--norc", "-c", runner, "bash", command];
  const line = [...words, ...inner].map(shellWord).join(" ");
  const text = [
    ...(containment.program === "bwrap" ? [] : privateDirectory),
    `{ turnwire_directory=$(${line} 4>&1 >&5 5>&-); } 5>&1`,
    "turnwire_status=$?",
    'if [ -n "$turnwire_directory" ]; then cd -- "$turnwire_directory"; fi',
    '(exit "$turnwire_status")',
  ].join("\n");
  return text.length > maxLength ? undefined : text;
}

const temporaryDirectory = "/private/tmp/turnwire";
const privateDirectory = [`mkdir -p -m 700 ${temporaryDirectory}`];

function launcher({ program, path }: Containment, confinement: Confinement, cwd: string): string[] {
  switch (program) {
    case "bwrap":
      return [path, ...bubblewrapArguments(confinement, cwd), "--"];
    case "sandbox-exec":
      return [
        `TMPDIR=${temporaryDirectory}`,
        path,
        "-p",
        seatbeltProfile(confinement, temporaryDirectory),
      ];
  }
}
