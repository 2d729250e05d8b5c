import { MODALITIES, OUTCOMES } from "@manifold-gateway/store";
import { z } from "zod";
import { momentQuery } from "./paging.ts";

/** Filters of records and sums by the surface that received the request and the entry that served it. */
export const placeQuery = {
  surface: z.string().min(1).max(64).optional().describe("The surface that requests came by: `chatstyle`."),
  entry: z.string().min(1).max(64).optional().describe("The neutral id of the model entry that served them."),
};

/** Filters of an account's records, and of sums over them. */
export const chosenQuery = {
  modality: z.enum(MODALITIES).optional(),
  status: z.enum(OUTCOMES).optional(),
  model: z.string().max(256).optional(),
  key: z.string().max(256).optional().describe("The id of an API key."),
  ...placeQuery,
  from: momentQuery,
  to: momentQuery,
};

/** Drops the members of a filter that have no value. */
export const defined = <Of extends object>(members: Of) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [K in keyof Of]: NonNullable<Of[K]>;
  };
