import { homedir } from "node:os";
import type { Capabilities } from "@turnwire/protocol";
import { Confiner, type ConfinerOptions } from "./confine.ts";
import type { ConfinementNeed } from "./confinement.ts";
import { containedCommand, type Containment } from "./contained-command.ts";
import type { ContainmentStatus } from "./probe.ts";

export interface HeldCommand {
  readonly command: string;
  readonly cwd: string;
  readonly network: boolean;
}

/** Holds the next command, by the files that were there a moment ago. */
export interface Hold {
  /** The command as it is to be run; undefined where it is too long for that. */
  contain(command: HeldCommand): string | undefined;
}

/** Holds the commands of one session to what its policy mode needs. */
export class SessionContainment {
  readonly #containment: Containment;
  readonly #confiner: Confiner;

  constructor(containment: Containment, options: ConfinerOptions) {
    this.#containment = containment;
    this.#confiner = new Confiner(options);
  }

  /** Looks up what must be kept from the next command; undefined where it cannot be held. */
  async prepare(need: ConfinementNeed): Promise<Hold | undefined> {
    const confinement = await this.#confiner.confine(need);
    return (
      confinement && {
        contain: ({ command, cwd, network }) =>
          containedCommand(this.#containment, {
            command,
            cwd,
            confinement: { ...confinement, network },
          }),
      }
    );
  }
}

/** Undefined where this machine contains no commands. */
export function sessionContainment(
  { containment }: ContainmentStatus,
  { env, privatePaths }: Pick<ConfinerOptions, "env" | "privatePaths">,
): SessionContainment | undefined {
  const home = env["HOME"] ?? homedir();
  return containment && new SessionContainment(containment, { env, home, privatePaths });
}

/** The same as clients get it. */
export function containmentCapability({
  problem,
}: ContainmentStatus): NonNullable<Capabilities["containment"]> {
  return problem === undefined ? { kind: "kernel" } : { kind: "none", problem };
}
