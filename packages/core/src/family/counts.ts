import { areCounts } from "../ir/index.ts";
import type { JsonObject } from "../json.ts";

/** Whether the members of these records that count tokens hold counts, as far as they are there. */
export const isSound = (...records: JsonObject[]): boolean =>
  records.every((record) =>
    areCounts(Object.keys(record).flatMap((name) => (name.endsWith("_tokens") ? [record[name]] : []))),
  );
