import { COMPARED, type Generation, RANKS } from "@manifold-gateway/store";
import { z } from "zod";
import { momentOf } from "../http/moments.ts";

/** The most records of a sorted list, on all of its pages. */
export const MOST_SORTED = 1_000;

/** The value by which a list is sorted, the greatest first; by default the newest come first. */
export const sortQuery = z
  .enum(RANKS)
  .optional()
  .describe(
    `The greatest first, without their requests. At most ${MOST_SORTED} records are listed, of the newest ${COMPARED} or more that are compared; \`since\` says if older ones were left out.`,
  );

/** A page of a sorted list. */
export const toSorted = ({ results, since }: { results: Generation[]; since?: number }) => ({
  results,
  ...(since !== undefined && { since: momentOf(since) }),
});
