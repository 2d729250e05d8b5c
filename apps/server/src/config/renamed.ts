import { type Problem, problemAt } from "./problem.ts";

/** A key of the configuration that was renamed; `*` stands for any name. */
interface Renamed {
  from: string;
  /** The new name, at the same place. */
  to: string;
  /** Converts the value to its new form. */
  convert?(value: unknown): unknown;
}

/** The renamed keys. Versions 0.1.x accept both names, 0.2 only the new ones. */
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

/** The uses of old names: all of them, and those where the new name is used as well. */
export interface Renaming {
  warnings: Problem[];
  problems: Problem[];
}

/** Renames the old keys of a configuration, in place. */
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

/** The path of a setting with the new names. */
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

/** The objects at a path with `*`, each with its actual path. */
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
