import type { Ask, Issue } from "./ask.ts";
import { check } from "./check.ts";
import { show } from "./message-text.ts";
import type { Capabilities } from "./schema.ts";

/** A model that may be suggested to a caller: an active one that has the operation. */
export interface Candidate {
  id: string;
  capabilities?: Capabilities | undefined;
}

const isAccepted = (issues: readonly Issue[]): boolean => issues.every(({ effect }) => effect === "note");
/** Checks for rules about the operation. A model without any is not suggested: what it accepts is unknown. */
const hasRules = ({ capabilities }: Candidate, ask: Ask): boolean =>
  capabilities !== undefined &&
  [capabilities[ask.operation], capabilities.params, capabilities.inputs, capabilities.rules].some(Boolean);

/** The first model whose capabilities allow all that is requested, with nothing left out. */
export function findAccepting(models: Iterable<Candidate>, ask: Ask): string | undefined {
  for (const model of models)
    if (model.id !== ask.model && hasRules(model, ask) && isAccepted(check(model.capabilities, ask)))
      return model.id;
  return undefined;
}

/**
 * Adds to each finding a model to use instead, if there is one: a model that accepts the whole request or, without such a
 * model, one without findings at this place.
 */
export function suggest(issues: readonly Issue[], models: Iterable<Candidate>, ask: Ask): Issue[] {
  if (issues.length === 0) return [];
  const others = [...models].filter((model) => model.id !== ask.model && hasRules(model, ask));
  const whole = findAccepting(others, ask);
  const findings = others.map(({ id, capabilities }) => ({ id, issues: check(capabilities, ask) }));
  const forPlace = ({ path }: Issue): string | undefined =>
    findings.find((finding) => isAccepted(finding.issues.filter((issue) => issue.path === path)))?.id;
  return issues.map((issue) => {
    const instead = issue.effect === "note" ? undefined : (whole ?? forPlace(issue));
    if (instead === undefined) return issue;
    return { ...issue, instead, message: `${issue.message} The model ${show(instead)} accepts it.` };
  });
}
