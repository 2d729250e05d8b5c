import { type Problem, problemAt } from "./problem.ts";
import { ConfigError } from "./read.ts";
import { type Environment, VARIABLE, variableOf } from "./variables.ts";

/** A variable as shells write it, which would be sent to a provider as it stands. */
const SHELL = /^\$[A-Z_][A-Z0-9_]*$/;

/** A copy of a value with `${NAME}` and `${NAME:-default}` replaced. Unset variables are added to `problems`. */
export function substitute(
  value: unknown,
  env: Environment,
  problems: Problem[],
  path: readonly PropertyKey[] = [],
): unknown {
  if (typeof value === "string") {
    if (SHELL.test(value))
      problems.push(problemAt(path, `is no variable but text: write \${${value.slice(1)}} for the variable`));
    return value.replace(VARIABLE, (_, name: string, fallback: string | undefined) => {
      try {
        const found = variableOf(env, name) || fallback;
        if (found === undefined)
          problems.push(problemAt(path, `the environment variable ${name} is not set`));
        return found ?? "unset-variable";
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error;
        problems.push(problemAt(path, error.message));
        return "unset-variable";
      }
    });
  }
  if (Array.isArray(value)) return value.map((item, i) => substitute(item, env, problems, [...path, i]));
  if (typeof value !== "object" || value === null) return value;
  // The schema would ignore it silently.
  if (Object.hasOwn(value, "__proto__"))
    problems.push(problemAt([...path, "__proto__"], "is a reserved name"));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, substitute(item, env, problems, [...path, key])]),
  );
}
