import type { Options, SessionStore } from "@anthropic-ai/claude-agent-sdk";

/** What a person says is written down before the model hears it, and not up to 100 ms later (seen with 2.1.325). */
export const mirroredEnvironment = { CLAUDE_CODE_EAGER_FLUSH: "1" } as const;

/**
 * The options of a process whose transcript is mirrored. To resume, the SDK would copy the transcript
 * into a configuration directory of its own: without the login's renewal, without the person's skills,
 * and without file checkpoints, which it refuses for that reason (0.3.325). Ours stands where the CLI
 * looks for it already, so the CLI resumes it by its own flags.
 */
export function mirroredOptions(options: Options, sessionStore: SessionStore): Options {
  const { resume, resumeSessionAt, enableFileCheckpointing, env, ...rest } = options;
  return {
    ...rest,
    env: {
      ...env,
      ...mirroredEnvironment,
      ...(enableFileCheckpointing === true && {
        CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING: "true",
      }),
    },
    sessionStore,
    // At once: what waits for the end of a turn is lost with a host that dies in it.
    sessionStoreFlush: "eager",
    extraArgs: {
      ...rest.extraArgs,
      ...(resume !== undefined && { resume }),
      ...(resumeSessionAt !== undefined && { "resume-session-at": resumeSessionAt }),
    },
  };
}
