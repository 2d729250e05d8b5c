import { show } from "../capability/message-text.ts";
import { describeUnknownField, type KnownNames } from "../capability/unknown-field.ts";
import type { Issue } from "../schema/issues.ts";

/** The most faults of a request that are reported, and the most unknown names of one object. */
export const MAX_FAULTS = 20;

/** What is wrong with a field, in plain words that follow its name. */
export interface FieldFault {
  /** The members and indexes that lead to the field; empty for the whole. */
  path: PropertyKey[];
  text: string;
}

/**
 * Converts a schema's issues to faults of fields. `listNames` returns the names of the schema, for the text about an
 * unknown one.
 */
export function faultsOf(issues: readonly Issue[], listNames?: () => KnownNames): FieldFault[] {
  return issues.flatMap((issue): FieldFault[] => {
    const { path, keys, errors = [] } = issue;
    if (keys && listNames) {
      const names = listNames();
      return keys
        .slice(0, MAX_FAULTS)
        .map((key) => ({ path: [...path, key], text: describeUnknownField([...path, key], names) }));
    }
    const inside = issue.code === "invalid_union" ? nearest(errors) : [];
    if (inside.length === 0) return [{ path, text: issue.message }];
    return faultsOf(
      inside.map((one) => ({ ...one, path: [...path, ...one.path] })),
      listNames,
    );
  });
}

/** The issues of the alternative that a value most likely is, if their faults are inside of it. */
function nearest(alternatives: readonly (readonly Issue[])[]): readonly Issue[] {
  const isWithin = (issues: readonly Issue[]): boolean =>
    issues.every(({ code, path }) => path.length > 0 || code === "unrecognized_keys");
  // A member that decides between alternatives, such as a type, has one value in each.
  const others = (issues: readonly Issue[]): number =>
    issues.filter(({ path, values }) => path.length === 1 && values?.length === 1).length;
  const [best = []] = alternatives
    .filter(isWithin)
    .toSorted((a, b) => others(a) - others(b) || a.length - b.length);
  return best;
}

/** A field's name and its fault as one text: `limits.daily: must be a number, and is text`. */
export const describeFault = ({ path, text }: FieldFault): string =>
  `${path.map(String).join(".") || "body"}: ${text}`;

/** The same faults as texts, with the model if it is known. */
export function describeIssues(
  error: { issues: readonly Issue[] },
  model?: string,
  listNames?: () => KnownNames,
): string[] {
  const where = model === undefined ? "" : ` (model ${show(model)})`;
  const texts = faultsOf(error.issues.slice(0, MAX_FAULTS), listNames).map(
    (fault) => `${describeFault(fault)}${where}`,
  );
  return [...new Set(texts)].slice(0, MAX_FAULTS);
}
