import { type Finding, jsonType } from "./finding.ts";

const pathOf = (path: (string | number)[]): string =>
  path.reduce<string>(
    (text, step, index) =>
      typeof step === "number" ? `${text}[${step}]` : `${text}${index === 0 ? "" : "."}${step}`,
    "",
  );

function reason(finding: Finding): string {
  switch (finding.kind) {
    case "unknown":
      return "it is not supported";
    case "type":
      return `expected ${finding.expected}, got ${jsonType(finding.got)}`;
    case "value":
    case "tag":
      return `expected one of ${finding.allowed.join(", ")}, got ${String(finding.got)}`;
    case "above":
    case "below":
      return `${finding.of === "number" ? "the value" : "the length"} must be ${finding.kind === "above" ? "<=" : ">="} ${finding.limit}`;
    case "pattern":
      return `it does not match ${finding.pattern}`;
    case "other":
      return finding.message;
    case "missing":
      return "it is missing";
  }
}

/** A finding in neutral words, for wires whose vendor's words are unknown. */
export function explain(finding: Finding): { field: string; why: string } {
  return { field: pathOf(finding.path), why: reason(finding) };
}
