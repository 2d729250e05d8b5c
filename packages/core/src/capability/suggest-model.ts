import type { Ask, Issue } from "./ask.ts";
import { check } from "./check.ts";
import { show } from "./message-text.ts";
import type { Capabilities } from "./schema.ts";

/** A model that may be suggested to a caller: an active one that has the operation. */
export interface Candidate {
  id: string;
  capabilities?: Capabilities | undefined;
}

const takesAll = (issues: readonly Issue[]): boolean => issues.every(({ effect }) => effect === "note");
/** A model without capabilities is not suggested: whether it takes the request is unknown. */
const speaks = ({ capabilities }: Candidate, ask: Ask): boolean =>
  capabilities !== undefined &&
  [capabilities[ask.operation], capabilities.params, capabilities.inputs, capabilities.rules].some(Boolean);

/** The first model whose capabilities allow all that is requested, with nothing left out. */
export function allowing(models: Iterable<Candidate>, ask: Ask): string | undefined {
  for (const model of models)
    if (model.id !== ask.model && speaks(model, ask) && takesAll(check(model.capabilities, ask)))
      return model.id;
  return undefined;
}

/**
 * The findings, each with a model that would take it where one exists: one that allows the whole request or, where
 * none does, one that has nothing against this place of it.
 */
export function suggest(issues: readonly Issue[], models: Iterable<Candidate>, ask: Ask): Issue[] {
  if (issues.length === 0) return [];
  const others = [...models].filter((model) => model.id !== ask.model && speaks(model, ask));
  const whole = allowing(others, ask);
  const findings = others.map(({ id, capabilities }) => ({ id, issues: check(capabilities, ask) }));
  const forPlace = ({ path }: Issue): string | undefined =>
    findings.find((finding) => takesAll(finding.issues.filter((issue) => issue.path === path)))?.id;
  return issues.map((issue) => {
    const instead = issue.effect === "note" ? undefined : (whole ?? forPlace(issue));
    if (instead === undefined) return issue;
    return { ...issue, instead, message: `${issue.message} The model ${show(instead)} accepts it.` };
  });
}
