import type { Restrictions, RestrictionsChange } from "@manifold-gateway/store";
import {
  helpOf,
  type KindOf,
  RESTRICTION_NAMES,
  RESTRICTIONS,
  type RestrictionKind,
  type RestrictionName,
  recordOfRestrictions,
} from "@manifold-gateway/store/restrictions";
import { z } from "zod";
import { momentOf } from "../http/moments.ts";

/** Values by kind as the API has them. A time is an ISO date or time. */
interface Written extends Record<RestrictionKind, unknown> {
  count: number;
  list: string[];
  choices: string[];
  time: string;
}

type ListName = { [name in RestrictionName]: KindOf<name> extends "list" ? name : never }[RestrictionName];

/** The schemas of the items of lists. */
const items: Record<ListName, z.ZodType<string>> = { models: z.string().min(1).max(256) };

function schemaOf(name: RestrictionName): z.ZodType {
  const row = RESTRICTIONS[name];
  switch (row.kind) {
    case "count":
      return z.int().min(1).max(1_000_000_000);
    case "list":
      return z
        .array(items[name as ListName])
        .min(1)
        .max(200);
    case "choices":
      return z.array(z.enum(row.of)).min(1);
    case "time":
      return z.union([z.iso.datetime({ offset: true }), z.iso.date()], "must be an ISO date or time");
  }
}

const fields = recordOfRestrictions((name) => schemaOf(name).nullish().describe(helpOf(name))) as {
  [name in RestrictionName]: z.ZodOptional<z.ZodNullable<z.ZodType<Written[KindOf<name>]>>>;
};

/**
 * A change of a key's restrictions; null removes one. It is strict, because a misspelt restriction would have no
 * effect.
 */
export const restrictionsField = z.strictObject(fields);

const isTime = (name: RestrictionName): boolean => RESTRICTIONS[name].kind === "time";

/** Converts restrictions from the API's format to the store's. */
export const toRestrictionsChange = (change: z.output<typeof restrictionsField>): RestrictionsChange =>
  Object.fromEntries(
    RESTRICTION_NAMES.flatMap((name) => {
      const value = change[name];
      if (value === undefined) return [];
      return [[name, isTime(name) && value !== null ? Date.parse(String(value)) : value]];
    }),
  );

/** Converts restrictions from the store's format to the API's. */
export const fromRestrictions = (restrictions: Restrictions) =>
  Object.fromEntries(
    RESTRICTION_NAMES.flatMap((name) => {
      const value = restrictions[name];
      if (value === undefined) return [];
      return [[name, isTime(name) ? momentOf(Number(value)) : value]];
    }),
  );
