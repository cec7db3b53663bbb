import type { RuntimeConnection, RuntimeInfo } from "@turnwire/protocol";
import type { Runtime, RuntimeCheck } from "@turnwire/runtime";

interface CheckedRuntime {
  readonly runtime: Runtime;
  readonly check: RuntimeCheck;
  readonly connection: RuntimeConnection;
}

export interface RuntimeListOptions {
  readonly runtimes: readonly Runtime[];
  /** The name of the configured default, if one is configured. */
  readonly configured: string | undefined;
  readonly isProbing: (name: string) => boolean;
}

/** Every runtime with what it can do, and whether it can be used now. */
export async function describeRuntimes(options: RuntimeListOptions): Promise<RuntimeInfo[]> {
  const checked = await Promise.all(options.runtimes.map(checkRuntime));
  const defaultRuntime = options.configured ?? preferred(checked)?.runtime.name;
  return checked.map(({ runtime, check, connection }) => ({
    name: runtime.name,
    label: runtime.label,
    ...(runtime.specialPurpose !== undefined && { special_purpose: runtime.specialPurpose }),
    is_default: runtime.name === defaultRuntime,
    is_available: check.isAvailable,
    ...(check.problem !== undefined && { problem: check.problem }),
    connection,
    ...(options.isProbing(runtime.name) && { is_probing: true }),
    capabilities: runtime.capabilities,
  }));
}

/** The runtime of sessions that name none, where none is configured: the first that is connected, else a scripted one. */
export async function chooseRuntime(runtimes: readonly Runtime[]): Promise<string | undefined> {
  return preferred(await Promise.all(runtimes.map(checkRuntime)))?.runtime.name;
}

/** The first that is connected to an agent, else a scripted one, else the first of all. */
function preferred(checked: readonly CheckedRuntime[]): CheckedRuntime | undefined {
  const withStatus = (status: RuntimeConnection["status"]) =>
    checked.find(({ check, connection }) => check.isAvailable && connection.status === status);
  return withStatus("connected") ?? withStatus("scripted") ?? checked[0];
}

async function checkRuntime(runtime: Runtime): Promise<CheckedRuntime> {
  const check = await runtime.check();
  return { runtime, check, connection: check.connection ?? connectionFrom(check) };
}

function connectionFrom({ isAvailable, problem }: RuntimeCheck): RuntimeConnection {
  if (isAvailable) return { status: "connected" };
  return { status: "not_connected", ...(problem !== undefined && { steps: [{ text: problem }] }) };
}
