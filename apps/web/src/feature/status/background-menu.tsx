import { detach } from "@turnwire/base";
import type { SessionView } from "@turnwire/client";
import type { TaskState } from "@turnwire/protocol";
import { useSession, useSessionSelector } from "@turnwire/react";
import { counted } from "../../element/figure.ts";
import { Button } from "../../element/button.tsx";
import { Popover } from "../../element/popover.tsx";
import { showError } from "../../element/toast.ts";
import style from "./background-menu.module.css";

const taskWords: Readonly<Record<TaskState["status"], string>> = {
  running: "Running",
  completed: "Done",
  failed: "Failed",
  stopped: "Stopped",
};

function tasksOf({ session }: SessionView): SessionView["session"]["tasks"] {
  return session.tasks;
}

/** Background tasks, each with a button to stop it. */
export function TaskMenu() {
  const tasks = Object.values(useSessionSelector(tasksOf));
  const session = useSession();
  if (tasks.length === 0) return null;
  const running = tasks.filter(({ status }) => status === "running").length;
  const stop = (task_id: string): void =>
    detach(session.execute({ type: "stop_task", task_id }), showError);
  return (
    <Popover
      label={running > 0 ? `${counted(running, "task")} running` : counted(tasks.length, "task")}
    >
      <ul className={`stack gap-2 ${style.list}`} aria-label="Background tasks">
        {tasks.toReversed().map((task) => (
          <li key={task.task_id}>
            <span className={`dot ${style.dot}`} data-status={task.status} />
            <span className="stack grow shrink breaks">
              <span>{task.description ?? task.task_id}</span>
              <span className="tiny faint">
                {[taskWords[task.status], task.summary].filter(Boolean).join(" · ")}
              </span>
            </span>
            {task.status === "running" && (
              <Button
                onClick={() => stop(task.task_id)}
                aria-label={`Stop ${task.description ?? "the task"}`}
              >
                Stop
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Popover>
  );
}

function serversOf({ session }: SessionView): SessionView["session"]["mcp"] {
  return session.mcp;
}

function canReconnectServers({ session }: SessionView): boolean {
  return session.session.capabilities.reconnect_mcp;
}

/** The MCP servers of the agent, with their status. */
export function ServerMenu() {
  const servers = Object.entries(useSessionSelector(serversOf));
  const canReconnect = useSessionSelector(canReconnectServers);
  const session = useSession();
  if (servers.length === 0) return null;
  const connected = servers.filter(([, status]) => status === "connected").length;
  const reconnect = (server_name: string): void =>
    detach(session.execute({ type: "reconnect_mcp_server", server_name }), showError);
  const isAllWell = connected === servers.length;
  return (
    <Popover label={isAllWell ? `MCP ${connected}` : `MCP ${connected} of ${servers.length}`}>
      <ul className={`stack gap-2 ${style.list}`} aria-label="MCP servers">
        {servers.map(([name, status]) => (
          <li key={name}>
            <span className={`dot ${style.dot}`} data-status={status} />
            <span className="stack grow shrink breaks">
              <span>{name}</span>
              <span className="tiny faint">{status}</span>
            </span>
            {canReconnect && status !== "connecting" && (
              <Button onClick={() => reconnect(name)} aria-label={`Reconnect ${name}`}>
                Reconnect
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Popover>
  );
}
