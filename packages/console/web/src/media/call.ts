import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { AS_PLAYGROUND, refusalOf } from "../api/client.ts";
import { type Incoming, reach, toIncoming } from "../api/reach.ts";
import { wordsOf } from "../api/refusal.ts";
import { type Run, startedRun } from "../play/runs.ts";

/** What is sent: JSON, or a form with a file. */
export type CallBody = string | FormData;

/** A call as far as it has come: how it went, and what it answered so far. */
export interface Called<Of> {
  run: Run;
  answer: Of | undefined;
}

/** Reads an answer, and reports what there is of it as it comes. */
export type ReadAnswer<Of> = (response: Incoming, report: (sofar: Of) => void) => Promise<Of>;

/** One call: where it is sent, what reads the answer, and what ends it. */
interface CallOrder<Of> {
  path: string;
  body: CallBody;
  read: ReadAnswer<Of>;
  signal: AbortSignal;
}

/** Calls a model as the account's playground, and reports each change of how far that has come. */
export async function callModel<Of>(
  { path, body, read, signal }: CallOrder<Of>,
  onChange: (called: Called<Of>) => void,
): Promise<void> {
  const began = performance.now();
  const ms = (): number => Math.round(performance.now() - began);
  let now: Called<Of> = { run: startedRun, answer: undefined };
  const change = (run: Partial<Run>, answer = now.answer): void => {
    now = { run: { ...now.run, ...run }, answer };
    onChange(now);
  };
  change({});
  try {
    const { "x-console": as, ...json } = AS_PLAYGROUND;
    const response = await reach(path, {
      method: "POST",
      credentials: "same-origin",
      headers: { ...(typeof body === "string" && json), "x-console": as },
      body,
      signal,
    });
    const headers = Object.fromEntries(response.headers);
    change({ status: response.status, headers, firstMs: ms() });
    if (!response.ok) throw await refusalOf(response, path);
    const answer = await read(toIncoming(response), (sofar) => change({}, sofar));
    change({ state: "done", tookMs: ms() }, answer);
  } catch (error) {
    const end = signal.aborted
      ? ({ state: "stopped" } as const)
      : ({ state: "failed", fault: wordsOf(error) } as const);
    change({ tookMs: ms(), ...end });
  }
}

/** A call, and what begins and ends it. */
export interface Calling<Of> {
  called: Called<Of> | undefined;
  isRunning: boolean;
  send: (path: string, body: CallBody) => Promise<void>;
  stop: () => void;
}

/** Calls of a screen, one at a time; what is open ends with the screen. */
export function useCall<Of>(read: ReadAnswer<Of>): Calling<Of> {
  const called = useSignal<Called<Of> | undefined>(undefined);
  const stop = useRef<AbortController>(undefined);
  useEffect(() => () => stop.current?.abort(), []);
  const send = (path: string, body: CallBody): Promise<void> => {
    stop.current?.abort();
    const control = new AbortController();
    stop.current = control;
    return callModel({ path, body, read, signal: control.signal }, (now) => {
      if (stop.current === control) called.value = now;
    });
  };
  return {
    called: called.value,
    isRunning: called.value?.run.state === "running",
    send,
    stop: () => stop.current?.abort(),
  };
}

/** The losses that the headers of an answer name. */
export const lossesOf = ({ headers }: Pick<Run, "headers">): string[] =>
  (headers["x-losses"] ?? "")
    .split(",")
    .map((loss) => loss.trim())
    .filter((loss) => loss !== "");
