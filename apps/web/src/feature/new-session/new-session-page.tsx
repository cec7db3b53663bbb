import { type CreateSession, noCapabilities, type Project } from "@turnwire/protocol";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { AgentCards } from "../agent/agent-cards.tsx";
import { chosenRuntime } from "../agent/chosen-runtime.ts";
import { useRuntimes } from "../agent/use-runtimes.ts";
import { BudgetDialog } from "../budget/budget-dialog.tsx";
import { countedKinds } from "../budget/budget-text.ts";
import { newSessionDraft } from "../composer/draft.ts";
import { Header } from "../page/header.tsx";
import { PastSessionOffer } from "../past-session/past-session-offer.tsx";
import { ProjectChoice } from "../project/project-choice.tsx";
import { useProjects } from "../project/projects.tsx";
import { useRecentProjects } from "../project/use-recent-projects.ts";
import { SessionMemoryContext, useSessionMemory } from "../session/session-memory.ts";
import { useSessionList } from "../session/sessions.tsx";
import { firstMode } from "../setting/setting-option.ts";
import type { StartAgentSettings } from "../setting/setting-choices.tsx";
import { TrustBanner } from "../trust/trust-banner.tsx";
import { FirstMessageForm } from "./first-message-form.tsx";
import style from "./new-session-page.module.css";
import {
  loadSettings,
  optionsIn,
  runtimeIn,
  saveSettings,
  settingsIn,
  withKnownProject,
  withOptions,
  withRuntime,
  withSetting,
  type StartSettings,
} from "./settings.ts";
import { StartOptionChoices } from "./start-option-choices.tsx";
import { startBody } from "./start-options.ts";
import { StarterList } from "./starter-list.tsx";
import { useFirstMessage, type WrittenMessage } from "./use-first-message.ts";

interface NewSessionPageProps {
  /** The id of the project to begin with. */
  readonly projectId?: string | undefined;
}

/** A new session on one page: which agent, where, how, and what to do. */
export function NewSessionPage({ projectId }: NewSessionPageProps) {
  const memory = useSessionMemory(newSessionDraft);
  return (
    <>
      <Header title="New session" />
      <div className="scroll">
        <SessionMemoryContext value={memory}>
          <NewSession projectId={projectId} />
        </SessionMemoryContext>
      </div>
    </>
  );
}

function NewSession({ projectId }: NewSessionPageProps) {
  const runtimes = useRuntimes();
  const [saved, setSettings] = useState(loadSettings);
  const [pickedId, setPickedId] = useState<string>();
  const [isPicking, setPicking] = useState(false);
  const [pickedRuntime, setPickedRuntime] = useState<string>();
  const project = useStartProject(pickedId ?? projectId, saved.project);
  const settings = withKnownProject(saved, project?.path);
  const runtime = chosenRuntime(runtimes.list, {
    wanted: pickedRuntime ?? runtimeIn(settings, project?.path),
    isWantedNow: pickedRuntime !== undefined,
  });
  const capabilities = runtime?.capabilities ?? noCapabilities;
  const message = useFirstMessage(capabilities);
  const { problem, setProblem } = message;
  const starting = useRef(false);
  const { isLoaded: hasProjects } = useProjects();
  const isReady = runtimes.isLoaded && hasProjects;
  /** What was sent before agents and projects were known: the session starts as soon as they are. */
  const [waiting, setWaiting] = useState<WrittenMessage>();
  const kept = settingsIn(settings, project?.path, runtime?.name);
  const options = optionsIn(settings, project?.path);
  const [branch, setBranch] = useState("");
  const [isBudgetOpen, setBudgetOpen] = useState(false);
  const agentSettings = { permission_mode: firstMode(capabilities), ...defined(kept) };
  const change = (next: StartSettings): void => {
    setSettings(next);
    saveSettings(next);
  };
  const submit = (): void => {
    if (starting.current || waiting || message.isEmpty) return;
    if (!isReady) setWaiting(message.take());
    else if (!isHindered()) void start(message.take());
  };
  /** Whether something is missing for a session; the page says what. */
  const isHindered = (): boolean => {
    if (runtime && !runtime.is_available) {
      const text = `${runtime.label} is not connected yet: follow the steps above, then check again.`;
      setProblem({ place: "agent", text });
    } else if (!project) {
      setProblem({ place: "project", text: "Choose the folder that the agent works in." });
      setPicking(true);
    }
    return !runtime?.is_available || !project;
  };
  const start = async (written: WrittenMessage): Promise<void> => {
    if (!runtime || !project) return;
    starting.current = true;
    change({ ...settings, project: project.path });
    const session = {
      runtime: runtime.name,
      cwd: project.path,
      ...defined(agentSettings),
      ...startBody(options, {
        branch,
        hasGit: project.git !== undefined,
        hasSandbox: capabilities.sandbox,
        budgetKinds: countedKinds(capabilities),
      }),
    };
    await message.start(session, written);
    starting.current = false;
  };
  const startWaiting = useEffectEvent(() => {
    setWaiting(undefined);
    if (!waiting) return;
    if (isHindered()) message.putBack(waiting);
    else void start(waiting);
  });
  const canStart = waiting !== undefined && isReady;
  useEffect(() => {
    if (canStart) startWaiting();
  }, [canStart]);
  return (
    <div className={`measure stack gap-5 ${style.column}`}>
      <Introduction />
      <AgentCards
        runtimes={runtimes}
        chosen={runtime}
        problem={problem?.place === "agent" ? problem.text : undefined}
        onChoose={(name) => {
          setProblem(undefined);
          setPickedRuntime(name);
          change(withRuntime(settings, project?.path, name));
        }}
      />
      <FirstMessageForm
        message={message}
        runtime={runtime}
        project={project}
        settings={agentSettings}
        onSetting={(setting) => {
          if (!runtime) return;
          const at = { project: project?.path, runtime: runtime.name };
          change(withSetting(settings, at, setting));
        }}
        onSubmit={submit}
      >
        <StartOptionChoices
          project={project}
          hasSandbox={capabilities.sandbox}
          options={options}
          branch={branch}
          onBudget={() => setBudgetOpen(true)}
          onChange={(option) => change(withOptions(settings, project?.path, option))}
          onBranch={setBranch}
        />
        <ProjectChoice
          project={project}
          isOpen={isPicking}
          onOpen={setPicking}
          problem={problem?.place === "project" ? problem.text : undefined}
          onChoose={({ id, path }) => {
            setProblem(undefined);
            setPickedId(id);
            setPickedRuntime(undefined);
            change({ ...settings, project: path });
          }}
        />
      </FirstMessageForm>
      {isBudgetOpen && (
        <BudgetDialog
          limits={options.budget ?? {}}
          kinds={countedKinds(capabilities)}
          onSave={async (budget) => change(withOptions(settings, project?.path, { budget }))}
          onClose={() => setBudgetOpen(false)}
        />
      )}
      <TrustBanner
        path={project?.trust === "none" ? undefined : project?.path}
        runtime={runtime?.name}
      />
      <StarterList
        runtime={runtime}
        onChoose={(text) => {
          message.text.put(text);
          message.field.current?.focus();
        }}
      />
      <PastSessionOffer />
    </div>
  );
}

/** What Turnwire is, for who sees it for the first time. */
function Introduction() {
  const { sessions, status } = useSessionList();
  const isNew = status !== "loading" && sessions.length === 0;
  return (
    <div className={`stack gap-2 ${style.introduction}`}>
      <h1>What should the agent do?</h1>
      {isNew && (
        <p className={`soft ${style.claim}`}>
          Turnwire runs coding agents on your own machine, in the folders you choose, and keeps
          every conversation.
        </p>
      )}
    </div>
  );
}

/** The project to begin with: the one asked for, else the one used last, else the newest. */
function useStartProject(
  wantedId: string | undefined,
  lastPath: string | undefined,
): Project | undefined {
  const { list } = useProjects();
  const recent = useRecentProjects().find(({ is_available }) => is_available);
  return (
    list.find(({ id }) => id === wantedId) ??
    list.find(({ path, is_available }) => path === lastPath && is_available) ??
    recent
  );
}

/** Only what was chosen: what is undefined stays the agent's default. */
function defined(
  settings: StartAgentSettings,
): Pick<CreateSession, "model" | "effort" | "permission_mode" | "policy_mode"> {
  const { model, effort, permission_mode, policy_mode } = settings;
  return {
    ...(model !== undefined && { model }),
    ...(effort !== undefined && { effort }),
    ...(permission_mode !== undefined && { permission_mode }),
    ...(policy_mode !== undefined && { policy_mode }),
  };
}
