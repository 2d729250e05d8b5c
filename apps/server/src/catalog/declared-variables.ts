import type { Settings } from "../config/load.ts";
import { type Problem, problemAt } from "../config/problem.ts";
import { mapSecrets } from "../config/redact-secrets.ts";
import { SECRETS, variablesIn } from "../config/variables.ts";

/**
 * Finds variables that a declaration must not name: those of the service itself, which a call would send to a provider,
 * and any outside of credentials, where answers would show their values.
 */
export function problemsOfVariables(base: Settings, value: object, at: readonly string[]): Problem[] {
  const [section = ""] = at;
  const {
    providers: _,
    models: _m,
    [section]: _s,
    ...rest
  } = (base.document ?? {}) as Record<string, unknown>;
  const ofService = new Set([...SECRETS, ...variablesIn(JSON.stringify(rest))]);
  const open = variablesIn(JSON.stringify(mapSecrets(value, () => "")));
  return [
    ...open.map((name) =>
      problemAt(at, `the variable ${name} is not in a credential; write its value instead`),
    ),
    ...variablesIn(JSON.stringify(value))
      .filter((name) => ofService.has(name) || name.startsWith("MANIFOLD_"))
      .map((name) => problemAt(at, `the variable ${name} belongs to the service itself`)),
  ];
}
