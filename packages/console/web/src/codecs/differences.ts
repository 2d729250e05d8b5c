import type { TextRequest } from "@manifold-gateway/core";

/** Checks whether two JSON values are the same, whatever the order of their members. */
export function sameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const left = membersOf(one);
  const right = new Map(membersOf(other));
  return (
    left.length === right.size &&
    left.every(([name, value]) => right.has(name) && sameJson(value, right.get(name)))
  );
}

const membersOf = (value: object): [string, unknown][] =>
  Object.entries(value).filter(([, member]) => member !== undefined);

/** The members and parameters in which two requests differ, by their names in the canonical request. */
export function differencesOf(one: TextRequest, other: TextRequest): string[] {
  const { params: oneParams, ...oneRest } = one;
  const { params: otherParams, ...otherRest } = other;
  return [...changed(oneRest, otherRest), ...changed(oneParams, otherParams)];
}

function changed(one: object, other: object): string[] {
  const [left, right] = [new Map(Object.entries(one)), new Map(Object.entries(other))];
  return [...new Set([...left.keys(), ...right.keys()])].filter(
    (name) => !sameJson(left.get(name), right.get(name)),
  );
}
