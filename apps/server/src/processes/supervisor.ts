import { randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { Log } from "@manifold-gateway/gateway";
import { waitingFor } from "../config/current-settings.ts";
import type { Settings } from "../config/load.ts";
import { countOf } from "./count.ts";
import { type Child, type Exit, forkChild } from "./fork.ts";
import { createGatherer, type ProcessSlot } from "./measure.ts";
import type { Report } from "./messages.ts";
import type { Service, StopReason } from "./service.ts";
import { NotStarted } from "./start-error.ts";

/**
 * Several processes that serve on one port. A reload replaces each by one with the new settings, one after the other:
 * the new process listens before the old one drains. It rejects if one does not start; the remaining processes then
 * stay as they are. A stop drains all of them, and rejects if one does not end successfully.
 */
export interface Supervisor extends Service {
  origin: string;
  /** The findings of activated providers, as sentences. */
  findings: string[];
}

export interface SupervisorOptions {
  settings: Settings;
  log: Log;
  /** Starts a process; replaced in tests. */
  fork?(number: number): Child;
}

/** The time in ms after which a process that ends did not fail at its start, and is restarted at once. */
const STEADY_MS = 10_000;
/** The pause before a restart: after the first process that ended early, and at most. */
const PAUSE_MS = { first: 100, most: 30_000 };
/** The time beyond its requests' that a process may take to stop before it is killed. */
const MARGIN_MS = 15_000;

interface Slot extends ProcessSlot {
  /** The last change of the slot; changes run one after the other. */
  turn: Promise<unknown>;
  /** The number of processes in a row that ended early. */
  early: number;
}

/** Starts the configured number of processes, and restarts those that end. */
export async function supervise({
  settings: first,
  log,
  fork = forkChild,
}: SupervisorOptions): Promise<Supervisor> {
  let settings = first;
  const linkSecret = randomBytes(32).toString("hex");
  const slots: Slot[] = [];
  const running = new Set<Child>();
  const stopping = new AbortController();
  const gatherer = createGatherer();
  let allEndedWell = true;

  const newSlot = (number: number): Slot => ({
    number,
    child: undefined,
    restarts: 0,
    turn: Promise.resolve(),
    early: 0,
  });
  const inTurn = <T>(slot: Slot, work: () => Promise<T>): Promise<T> => {
    const result = slot.turn.then(work);
    slot.turn = result.catch(() => {});
    return result;
  };

  /** Starts a process and waits until it listens. */
  const launch = async (number: number, { config, env, source }: Settings) => {
    if (stopping.signal.aborted) throw new NotStarted("the service is stopping");
    const child = fork(number);
    running.add(child);
    let why: string | undefined;
    const listening = new Promise<Report & { type: "listening" }>((resolve) => {
      child.listen((report) => {
        if (report.type === "listening") resolve(report);
        else if (report.type === "failed") why = report.why;
        else if (report.type === "measured") gatherer.take(report.id, report.metrics);
        else
          void gatherer
            .gather(slots)
            .then((metrics) => child.send({ type: "metrics", id: report.id, metrics }));
      });
    });
    const ended = child.exited.then((exit): never => {
      running.delete(child);
      throw new NotStarted(why ?? `process ${number} ended with ${describeExit(exit)} before it listened`);
    });
    ended.catch(() => {});
    child.send({
      type: "start",
      config,
      env,
      ...(source && { source }),
      number,
      of: countOf(config),
      linkSecret,
    });
    const { origin, findings } = await Promise.race([listening, ended]);
    return { child, origin, findings };
  };

  /** Starts a process in a slot, and then drains the previous one. */
  const fill = async (slot: Slot, next: Settings) => {
    const launched = await launch(slot.number, next);
    const before = slot.child;
    const { child } = launched;
    slot.child = child;
    log.info({ process: slot.number, pid: child.pid }, "process started");
    const since = performance.now();
    void child.exited.then((exit) => {
      if (stopping.signal.aborted) allEndedWell &&= exit.code === 0;
      if (slot.child !== child) return;
      slot.child = undefined;
      slot.early = performance.now() - since < STEADY_MS ? slot.early + 1 : 0;
      void restart(slot, describeExit(exit));
    });
    if (before) await drain(before, slot.number, "replaced");
    return launched;
  };

  const drain = async (child: Child, process: number, why: StopReason): Promise<void> => {
    const { preStopDelay, grace } = settings.config.server;
    child.send({ type: "stop", why });
    const timer = setTimeout(
      () => {
        log.error({ process, pid: child.pid }, "process does not stop, killing it");
        child.kill();
      },
      preStopDelay + grace + MARGIN_MS,
    );
    await child.exited;
    clearTimeout(timer);
  };

  const restart = async (slot: Slot, how: string): Promise<void> => {
    const { number: process, early } = slot;
    const pause = early === 0 ? 0 : Math.min(PAUSE_MS.first * 2 ** (early - 1), PAUSE_MS.most);
    if (stopping.signal.aborted) return;
    log.error({ process, how, restartInMs: pause }, "process ended, starting another");
    await waitUnlessAborted(pause, stopping.signal);
    const failure = await inTurn(slot, async () => {
      // A reload may have filled or removed the slot meanwhile.
      if (stopping.signal.aborted || slot.child || !slots.includes(slot)) return undefined;
      slot.restarts += 1;
      try {
        await fill(slot, settings);
        return undefined;
      } catch (error) {
        slot.early += 1;
        return (error as Error).message;
      }
    });
    if (failure !== undefined) await restart(slot, failure);
  };

  const drainAll = async (): Promise<void> => {
    stopping.abort();
    const numbers = new Map(slots.map(({ child, number }) => [child, number] as const));
    await Promise.all([...running].map((child) => drain(child, numbers.get(child) ?? 0, "service")));
  };
  const stop = async (): Promise<void> => {
    await drainAll();
    if (!allEndedWell) throw new Error("a process did not stop in order");
  };

  const replaceAll = async (next: Settings): Promise<string[]> => {
    const count = countOf(next.config);
    let findings: string[] = [];
    for (let number = 1; number <= count; number++) {
      const slot = slots[number - 1] ?? newSlot(number);
      const filled = await inTurn(slot, () => fill(slot, next));
      if (!slots.includes(slot)) slots.push(slot);
      // From here on restarted processes use the new settings.
      settings = next;
      if (number === 1) ({ findings } = filled);
    }
    for (const { child, number } of slots.splice(count)) if (child) await drain(child, number, "replaced");
    return findings;
  };

  const reload: Service["reload"] = async (next) => {
    const before = [...running];
    const freeze = (isOn: boolean): void => {
      for (const child of before) child.send({ type: "freeze", isOn });
    };
    freeze(true);
    try {
      const findings = await replaceAll(atAddressOf(first, next));
      const waiting = waitingFor(first.config, next.config, true);
      return { processes: countOf(next.config), ...(waiting.length > 0 && { waiting }), findings };
    } catch (error) {
      freeze(false);
      throw error;
    }
  };

  slots.push(...Array.from({ length: countOf(first.config) }, (_, i) => newSlot(i + 1)));
  const [one, ...others] = slots as [Slot, ...Slot[]];
  try {
    // The first process starts alone: it reports errors that all would have, and migrates the database.
    const { origin, findings } = await fill(one, first);
    await Promise.all(others.map((slot) => fill(slot, first)));
    return {
      origin,
      findings,
      reload,
      noteReload: (outcome) => running.forEach((child) => void child.send({ type: "reloaded", outcome })),
      stop,
      kill: () => running.forEach((child) => void child.kill()),
    };
  } catch (error) {
    await drainAll();
    throw error;
  }
}

/** Settings to serve at the address of others: processes that replace others take over their socket. */
function atAddressOf({ config: { server } }: Settings, next: Settings): Settings {
  const { host, port } = server;
  return { ...next, config: { ...next.config, server: { ...next.config.server, host, port } } };
}

const describeExit = ({ code, signal }: Exit): string => (signal ? `signal ${signal}` : `code ${code}`);

/** Waits for `ms` milliseconds, or until the signal aborts. */
const waitUnlessAborted = (ms: number, signal: AbortSignal): Promise<void> =>
  wait(ms, undefined, { signal }).catch(() => {});
