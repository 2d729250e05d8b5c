import { type Problem, problemAt } from "./problem.ts";

/** A key of the configuration that had another name before; `*` stands for any name. */
interface Renamed {
  from: string;
  /** The name that it has now, at the same place. */
  to: string;
  /** The value as it is written now. */
  convert?(value: unknown): unknown;
}

/** Taken under both names in versions 0.1.x; 0.2 knows the new ones alone. */
const renamed: readonly Renamed[] = [
  { from: "seals", to: "keyEncryptionSecrets" },
  { from: "server.notice", to: "preStopDelay" },
  { from: "limits.stall", to: "clientWriteTimeout" },
  { from: "media.works", to: "runJobs" },
  { from: "media.live", to: "maxLiveJobs" },
  { from: "media.poll.first", to: "initial" },
  { from: "media.poll.most", to: "max" },
  {
    from: "routing.unclear",
    to: "retryAmbiguousFailures",
    convert: (value) => (value === "next" ? true : value === "answer" ? false : value),
  },
  { from: "routing.patience", to: "maxRetryAfterWait" },
  { from: "routing.circuit.cooling", to: "maxCooldown" },
  { from: "telemetry.traces.tell", to: "propagateTo" },
  { from: "providers.*.concurrency.most", to: "maxConcurrent" },
];

/** The uses of earlier names: each use, and each that stands beside the name of today. */
export interface Renaming {
  warnings: Problem[];
  problems: Problem[];
}

/** Gives every key of a configuration the name of today, in place. */
export function renameKeys(config: unknown): Renaming {
  const found: Renaming = { warnings: [], problems: [] };
  for (const { from, to, convert } of renamed) {
    const steps = from.split(".");
    const name = steps.pop() as string;
    for (const [place, at] of placesOf(config, steps)) {
      if (!Object.hasOwn(place, name)) continue;
      const path = [...at, name];
      const [earlier, now] = [name, to].map((key) => [...at, key].join("."));
      if (Object.hasOwn(place, to))
        found.problems.push(problemAt(path, `is the earlier name of ${now}; leave it out`));
      else {
        const line = `${earlier} is called ${now} now; version 0.2 no longer accepts the earlier name`;
        found.warnings.push({ path, line });
        place[to] = convert ? convert(place[name]) : place[name];
      }
      delete place[name];
    }
  }
  return found;
}

/** The path of a setting as it is called today. */
export function nameOfToday(path: string): string {
  const steps = path.split(".");
  for (const { from, to } of renamed) {
    const earlier = from.split(".");
    if (earlier.every((step, at) => step === "*" || step === steps[at]))
      return [...steps.slice(0, earlier.length - 1), to, ...steps.slice(earlier.length)].join(".");
  }
  return path;
}

type Place = Record<string, unknown>;

/** The objects that a path leads to, each with its own path. */
function placesOf(
  value: unknown,
  steps: readonly string[],
  at: readonly string[] = [],
): [Place, readonly string[]][] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  const [step, ...rest] = steps;
  if (step === undefined) return [[value as Place, at]];
  const names = step === "*" ? Object.keys(value) : Object.hasOwn(value, step) ? [step] : [];
  return names.flatMap((name) => placesOf((value as Place)[name], rest, [...at, name]));
}
