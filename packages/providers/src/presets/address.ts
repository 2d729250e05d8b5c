import { lookup } from "@manifold-gateway/core/codec";
import type { PresetRow } from "./preset.ts";

const PART = /\{(\w+)\}/g;
/** The form of a part. It cannot end the host, because the key is sent there. */
const VALUE = /^[A-Za-z0-9][\w.-]*(:\d{1,5})?$/;

/** A preset's address, or the problems of the parts that it is made of. */
export interface PresetAddress {
  /** The address with its parts filled in; absent if one is missing. */
  origin?: string;
  /** The parts that are missing or wrong. */
  problems: { part: string; text: string }[];
}

/** The names of the parts that an address of this preset can have. */
export const presetParts = ({ regions, parts = {} }: Pick<PresetRow, "regions" | "parts">): string[] => [
  ...new Set([...(regions ? ["region"] : []), ...Object.keys(parts)]),
];

/**
 * Fills the parts of a preset's address: from `values`, or else from the variables of the row, or with its default.
 * `env` is only read, never kept.
 */
export function presetAddress(
  row: Pick<PresetRow, "origin" | "regions" | "parts">,
  values: Readonly<Record<string, string | undefined>>,
  env: Readonly<Record<string, string | undefined>>,
): PresetAddress {
  const { origin, regions = {}, parts = {} } = row;
  const known = presetParts(row);
  const problems = Object.keys(values)
    .filter((part) => values[part] !== undefined && !known.includes(part))
    .map((part) => ({ part, text: `is no part of its address; ${listOf(known)}` }));
  const partValue = (part: string): string | undefined => {
    const { variables = [], default: usual } = parts[part] ?? {};
    return values[part] ?? variables.map((name) => env[name]).find(Boolean) ?? usual;
  };
  const region = partValue("region");
  const regional = region === undefined ? undefined : lookup(regions, region);
  if (region !== undefined && known.includes("region") && !regional && !origin.includes("{region}"))
    problems.push({
      part: "region",
      text: `'${region}' is no region of it; known are ${Object.keys(regions).join(", ")}`,
    });
  const filled = (regional ?? origin).replace(PART, (whole, part: string) => {
    const value = partValue(part);
    const text = value === undefined ? missing(part, parts[part]?.variables) : faultOf(part, value);
    if (text === undefined && value !== undefined) return hostOf(value);
    if (problems.every((one) => one.part !== part)) problems.push({ part, text: text ?? "" });
    return whole;
  });
  return problems.length > 0 ? { problems } : { origin: filled, problems };
}

const listOf = (parts: readonly string[]): string =>
  parts.length > 0 ? `it has ${parts.join(", ")}` : "it has none";

const missing = (part: string, variables: readonly string[] = []): string =>
  `is needed for its address: set '${part}'${variables.map((name) => ` or the variable ${name}`).join("")}`;

const faultOf = (part: string, value: string): string | undefined =>
  VALUE.test(hostOf(value)) ? undefined : `'${value}' cannot be the ${part} of an address`;

/** The host of an address. Vendors' variables hold addresses where rows need the host; other values stay unchanged. */
const hostOf = (value: string): string => value.replace(/^https:\/\/([^/]+)(\/.*)?$/, "$1");
