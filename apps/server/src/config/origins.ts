import { presets } from "@manifold-gateway/providers";
import type { ConfigDocument } from "./document.ts";
import { membersOf } from "./flatten.ts";
import { type Environment, variablesIn } from "./variables.ts";

/** The origin of a setting's value. */
export interface Origin {
  file?: string;
  /** The line in the file, from 1 on. */
  line?: number;
  /** The environment variables from which the value was taken. */
  variables?: string[];
}

/**
 * The origins of settings by their paths. A setting without one is a default, or comes from the command line or the
 * service itself.
 */
export type Origins = Readonly<Record<string, Origin>>;

/** The sources of a process's configuration. */
export interface Source {
  /** The configuration file; absent if the process was started without one. */
  file?: string;
  origins: Origins;
}

/** The origins of a file's settings. */
export function sourceOf(
  file: string,
  { value, placeOf }: Pick<ConfigDocument, "value" | "placeOf">,
  env: Environment,
): Source {
  const origins: Record<string, Origin> = {};
  for (const [path, item] of membersOf(value)) {
    const variables = variablesIn(JSON.stringify(item));
    origins[path.join(".")] = {
      file,
      line: placeOf(path).line,
      ...(variables.length > 0 && { variables }),
    };
  }
  return { file, origins: { ...usualValues(value, env), ...origins } };
}

/** The origins of what providers of presets get from their vendors' variables: keys, and parts of addresses. */
function usualValues(value: unknown, env: Environment): Origins {
  const { providers = {} } = value as { providers?: Record<string, { preset?: string; parts?: object }> };
  return Object.fromEntries(
    Object.entries(providers).flatMap(([id, { preset = "", parts: given = {} }]) => {
      const { keyVariable, parts = {} } = presets[preset] ?? {};
      const named = Object.entries(parts).flatMap(([part, { variables = [] }]) =>
        part in given ? [] : variables.filter((name) => env[name]).slice(0, 1),
      );
      return [
        ...(keyVariable && env[keyVariable] ? [[`providers.${id}.key`, { variables: [keyVariable] }]] : []),
        ...(named.length > 0 ? [[`providers.${id}.origin`, { variables: named }]] : []),
      ];
    }),
  );
}

/** The variables that a file's providers use. */
export const variablesOfProviders = ({ origins }: Pick<Source, "origins">): ReadonlySet<string> =>
  new Set(
    Object.entries(origins).flatMap(([path, { variables = [] }]) =>
      path.startsWith("providers.") ? variables : [],
    ),
  );

/** The variables from which a start without a file takes settings, by their paths. */
export const EMBEDDED: Readonly<Record<string, string>> = {
  "server.host": "HOST",
  "server.port": "PORT",
  "server.adminKey": "MANIFOLD_ADMIN_KEY",
  store: "DATABASE_URL",
  objects: "MANIFOLD_OBJECTS",
  "server.warmUp": "MANIFOLD_WARM_UP",
};

/** The configuration sources of a process without a file. */
export function embeddedSource(env: Environment): Source {
  const given = Object.entries(EMBEDDED).filter(([, variable]) => env[variable]);
  return { origins: Object.fromEntries(given.map(([path, variable]) => [path, { variables: [variable] }])) };
}
