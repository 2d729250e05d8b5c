/** Reads one environment variable; undefined if it is not set, or may not be read. */
export type Variable = (name: string | undefined) => string | undefined;

/** The variables of a client: those of its option `env`, or else of the process. */
export const variablesOf =
  (env: Readonly<Record<string, string | undefined>> | undefined): Variable =>
  (name) =>
    (name === undefined ? undefined : env ? env[name] : processVariable(name)) || undefined;

/** A variable of the process. Some runtimes have no process, and some throw at a variable without permission. */
function processVariable(name: string): string | undefined {
  try {
    return globalThis.process?.env?.[name];
  } catch {
    return undefined;
  }
}
