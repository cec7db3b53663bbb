import type { HostsHistory } from "./hosts-step.ts";

/** Histories of several hosts that once broke a promise. */
export const formerFaults: readonly { readonly fault: string; readonly history: HostsHistory }[] = [
  {
    fault:
      "a reader that came while the store was away stayed at a log that another host continued",
    history: {
      chances: [0],
      hosts: 2,
      sessions: 2,
      steps: [
        { act: { type: "cut", host: 0 }, turns: 0 },
        { act: { type: "read", host: 0, session: 1 }, turns: 0 },
      ],
    },
  },
  {
    fault:
      "a session that was abandoned while the store was away stayed leased, and its message waited",
    history: {
      chances: [0],
      hosts: 2,
      sessions: 1,
      steps: [
        { act: { type: "message", host: 0, session: 0, hasClientId: false }, turns: 1 },
        { act: { type: "cut", host: 0 }, turns: 0 },
        { act: { type: "wait", ms: 500 }, turns: 0 },
      ],
    },
  },
  {
    fault:
      "a session that could not be deleted while the store was away stayed leased, and its message waited",
    history: {
      chances: [0],
      hosts: 2,
      sessions: 1,
      steps: [
        { act: { type: "message", host: 0, session: 0, hasClientId: false }, turns: 0 },
        { act: { type: "answer", host: 0, other: 0, session: 0 }, turns: 0 },
        { act: { type: "cut", host: 0 }, turns: 0 },
        { act: { type: "delete", host: 0, session: 0 }, turns: 0 },
      ],
    },
  },
  {
    fault: "a session could not be opened while this host was refused to make another of its name",
    history: {
      chances: [0],
      hosts: 2,
      sessions: 1,
      steps: [
        { act: { type: "pause", host: 0 }, turns: 0 },
        { act: { type: "create", host: 1, other: 0 }, turns: 0 },
        { act: { type: "answer", host: 0, other: 0, session: 0 }, turns: 1 },
        { act: { type: "message", host: 0, session: 3, hasClientId: false }, turns: 0 },
      ],
    },
  },
];
