import { presets } from "@manifold-gateway/providers";
import type { ConfigDocument } from "./document.ts";
import { membersOf } from "./flatten.ts";
import { nameOfToday } from "./renamed.ts";
import { type Environment, variablesIn } from "./variables.ts";

/** Where a setting was given its value. */
export interface Origin {
  file?: string;
  /** Of the file, from 1 on. */
  line?: number;
  /** The environment variables that the value was taken from. */
  variables?: string[];
}

/**
 * The origins of settings by their paths; one that has none is a default, of the command line, or the service's own.
 */
export type Origins = Readonly<Record<string, Origin>>;

/** What a process was configured by. */
export interface Source {
  /** Absent: it was started without a file. */
  file?: string;
  origins: Origins;
}

/** Where the settings of a file stand in it. */
export function sourceOf(
  file: string,
  { value, placeOf }: Pick<ConfigDocument, "value" | "placeOf">,
  env: Environment,
): Source {
  const origins: Record<string, Origin> = {};
  for (const [path, item] of membersOf(value)) {
    const variables = variablesIn(JSON.stringify(item));
    origins[nameOfToday(path.join("."))] = {
      file,
      line: placeOf(path).line,
      ...(variables.length > 0 && { variables }),
    };
  }
  return { file, origins: { ...usualKeys(value, env), ...origins } };
}

/** Keys that providers of presets are given by the variables of their vendors. */
function usualKeys(value: unknown, env: Environment): Origins {
  const { providers = {} } = value as { providers?: Record<string, { preset?: string }> };
  return Object.fromEntries(
    Object.entries(providers).flatMap(([id, { preset = "" }]) => {
      const variable = presets[preset]?.keyVariable;
      return variable && env[variable] ? [[`providers.${id}.key`, { variables: [variable] }]] : [];
    }),
  );
}

/** The variables that a start without a file takes settings from. */
const EMBEDDED = {
  "server.host": "HOST",
  "server.port": "PORT",
  "server.adminKey": "MANIFOLD_ADMIN_KEY",
  store: "DATABASE_URL",
  objects: "MANIFOLD_OBJECTS",
} as const;

/** What a process without a file was configured by. */
export function embeddedSource(env: Environment): Source {
  const given = Object.entries(EMBEDDED).filter(([, variable]) => env[variable]);
  return { origins: Object.fromEntries(given.map(([path, variable]) => [path, { variables: [variable] }])) };
}
