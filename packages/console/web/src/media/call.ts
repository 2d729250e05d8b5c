import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { AS_PLAYGROUND, refusalOf } from "../api/client.ts";
import { type Run, startedRun } from "../play/runs.ts";

/** What is sent: JSON, or a form with a file. */
export type CallBody = string | FormData;

/** A call as far as it has come: how it went, and what it answered so far. */
export interface Called<Of> {
  run: Run;
  answer: Of | undefined;
}

/** Reads an answer, and reports what there is of it as it comes. */
export type ReadAnswer<Of> = (response: Response, report: (sofar: Of) => void) => Promise<Of>;

/** A call, and what begins and ends it. */
export interface Calling<Of> {
  called: Called<Of> | undefined;
  isRunning: boolean;
  send: (path: string, body: CallBody) => Promise<void>;
  stop: () => void;
}

/** Calls a model as the account's playground; what is open ends with the screen. */
export function useCall<Of>(read: ReadAnswer<Of>): Calling<Of> {
  const called = useSignal<Called<Of> | undefined>(undefined);
  const stop = useRef<AbortController>(undefined);
  useEffect(() => () => stop.current?.abort(), []);
  const send = async (path: string, body: CallBody): Promise<void> => {
    stop.current?.abort();
    const control = new AbortController();
    stop.current = control;
    const began = performance.now();
    const ms = (): number => Math.round(performance.now() - began);
    let now: Called<Of> = { run: startedRun, answer: undefined };
    const change = (run: Partial<Run>, answer = now.answer): void => {
      now = { run: { ...now.run, ...run }, answer };
      if (stop.current === control) called.value = now;
    };
    change({});
    try {
      const { "x-console": as, ...json } = AS_PLAYGROUND;
      const response = await fetch(path, {
        method: "POST",
        credentials: "same-origin",
        headers: { ...(typeof body === "string" && json), "x-console": as },
        body,
        signal: control.signal,
      });
      const headers = Object.fromEntries(response.headers);
      change({ status: response.status, headers, firstMs: ms() });
      if (!response.ok) throw await refusalOf(response, path);
      const answer = await read(response, (sofar) => change({}, sofar));
      change({ state: "done", tookMs: ms() }, answer);
    } catch (error) {
      const isLost = error instanceof TypeError;
      const fault = isLost ? "The connection was lost." : (error as Error).message;
      change({
        tookMs: ms(),
        ...(control.signal.aborted ? { state: "stopped" } : { state: "failed", fault }),
      });
    }
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
