import { type Problem, problemAt } from "../problem.ts";
import type { Config } from "../schema.ts";

/**
 * Settings in milliseconds, `*` for any name, with the fewest that anyone means. Fewer are probably seconds. Those with
 * a bound of the schema that is as high, or where a few are usual, are not among them.
 */
const LEAST: Readonly<Record<string, number>> = {
  "server.grace": 500,
  "server.preStopDelay": 100,
  "limits.generation": 2_000,
  "limits.drain": 1_000,
  "limits.clientWriteTimeout": 500,
  "limits.clientBodyTimeout": 500,
  "limits.webSocketIdleTimeout": 1_000,
  "routing.circuit.openFor": 100,
  "routing.circuit.maxCooldown": 100,
  "guards.*.timeout": 50,
  "media.poll.initial": 50,
  "media.poll.max": 100,
  "providers.*.timeouts.firstByte": 500,
  "providers.*.timeouts.idle": 500,
  "providers.*.drain": 500,
  "providers.*.concurrency.wait": 50,
};

/** Times that are shorter than anyone means, as numbers of seconds are. */
export const doubtsOfTimes = (config: Config): Problem[] =>
  Object.entries(LEAST).flatMap(([pattern, least]) =>
    valuesAt(config, pattern.split(".")).flatMap(({ path, value }) =>
      typeof value !== "number" || value === 0 || value >= least
        ? []
        : [problemAt(path, `is ${value} milliseconds; for ${value} seconds write ${value * 1_000}`)],
    ),
  );

interface Place {
  path: readonly PropertyKey[];
  value: unknown;
}

/** The values at the places that a pattern names. */
const valuesAt = (whole: unknown, pattern: readonly string[]): Place[] =>
  pattern.reduce<Place[]>(
    (places, step) =>
      places.flatMap(({ path, value }) =>
        typeof value !== "object" || value === null
          ? []
          : Object.entries(value)
              .filter(([name]) => step === "*" || name === step)
              .map(([name, inside]) => ({
                path: [...path, Array.isArray(value) ? Number(name) : name],
                value: inside,
              })),
      ),
    [{ path: [], value: whole }],
  );
