import { wires } from "../support/wires/index.ts";
import { type Chapter, type Feature, surfaces } from "./feature.ts";
import { answers } from "./rows/answers.ts";
import { calls } from "./rows/calls.ts";
import { echoes } from "./rows/echoes.ts";
import { endings } from "./rows/endings.ts";
import { media } from "./rows/media.ts";
import { sampling } from "./rows/sampling.ts";
import { service } from "./rows/service.ts";
import { thinking } from "./rows/thinking.ts";
import { tools } from "./rows/tools.ts";
import { turns } from "./rows/turns.ts";

/** The row with the words of protocols that have theirs in their own files. */
function whole(row: Feature): Feature {
  const words = (kind: "said" | "near" | "alike") =>
    Object.fromEntries(
      surfaces.flatMap((name) => {
        const word = wires[name].features?.[row.name]?.[kind] ?? row[kind]?.[name];
        return word ? [[name, word]] : [];
      }),
    );
  return { ...row, said: words("said"), near: words("near"), alike: words("alike") };
}

/** Every row of the matrix, in the order of the page. A new feature is a row in one of these. */
export const chapters: Chapter[] = [
  turns,
  media,
  tools,
  calls,
  thinking,
  sampling,
  service,
  answers,
  endings,
  echoes,
].map((chapter) => ({ ...chapter, features: chapter.features.map(whole) }));
