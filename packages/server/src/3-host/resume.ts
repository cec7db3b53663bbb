import {
  rejected,
  type Result,
  type ResumeSession,
  SessionId,
  type SessionInfo,
  type SettingCommand,
  type Principal,
} from "@turnwire/protocol";
import type { OpenSession } from "@turnwire/wire";
import type { SessionHost } from "./session-host.ts";

interface Resumption {
  readonly wish: ResumeSession;
  readonly principal: Principal;
}

/** Wakes a session as it is wished for; one that is not there yet is made of the provider's conversation. */
export async function resumeSession(
  host: SessionHost,
  sessionId: string,
  { wish, principal }: Resumption,
): Promise<Result<SessionInfo>> {
  const id = SessionId.safeParse(sessionId);
  if (!id.success) return rejected("session_not_found", "There is no such session.");
  let opened = await host.openOrRead(id.data, principal);
  const { provider_session_id } = wish;
  const isMissing = !opened.ok && opened.error.code === "session_not_found";
  if (isMissing && provider_session_id !== undefined && principal.isAdmin) {
    const runtime = wish.runtime ?? (await defaultRuntime(host));
    const past = { runtime, provider_session_id, session_id: id.data };
    const imported = await host.past.import(past, principal);
    if (!imported.ok) return imported;
    const { session_id: existing } = imported.value.info;
    if (existing !== id.data) {
      const message = `${provider_session_id} is the conversation of session ${existing}: resume that one.`;
      return rejected("session_exists", message, { session_id: existing });
    }
    opened = await host.openOrRead(id.data, principal);
  }
  if (!opened.ok) return opened;
  return refuseOther(opened.value, wish) ?? wakeWith(opened.value, { wish, principal });
}

async function defaultRuntime(host: SessionHost): Promise<string> {
  return (await host.runtimes()).find(({ is_default }) => is_default)?.name ?? "";
}

/** A session has one conversation of its agent's program for life. */
function refuseOther(
  session: OpenSession,
  { provider_session_id: wished, runtime }: ResumeSession,
): ReturnType<typeof rejected> | undefined {
  const { provider_session_id: own, runtime: ownRuntime } = session.control.session;
  if (runtime !== undefined && runtime !== ownRuntime) {
    return rejected("session_exists", `This session runs on ${ownRuntime}, not on ${runtime}.`);
  }
  if (wished === undefined || wished === own) return undefined;
  return rejected(
    "session_exists",
    `This session has another conversation: import ${wished} as a session of its own.`,
  );
}

async function wakeWith(
  session: OpenSession,
  { wish, principal }: Resumption,
): Promise<Result<SessionInfo>> {
  const { model, effort, system_prompt: prompt } = wish;
  const settings: SettingCommand[] = [
    ...(model === undefined ? [] : [{ type: "set_model" as const, model }]),
    ...(effort === undefined ? [] : [{ type: "set_effort" as const, effort }]),
  ];
  if (prompt !== undefined) {
    const instructed = await session.instruct(prompt, principal);
    if (!instructed.ok) return instructed;
  }
  if (settings.length > 0) {
    const updated = await session.update(settings, principal);
    if (!updated.ok) return updated;
  }
  return session.wake();
}
