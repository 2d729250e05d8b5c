import { chapters } from "./chapters.ts";
import type { Chapter } from "./feature.ts";
import { surfaces, upstreams } from "./feature.ts";
import { type Cell, probe } from "./probe.ts";

/** One feature with what becomes of it: by surface, then by upstream protocol. */
export interface Row {
  chapter: string;
  way: Chapter["way"];
  feature: string;
  cells: Record<string, Record<string, Cell>>;
}

/** The whole matrix, made by running every probe. A cell is missing where the feature cannot be said. */
export const matrix = (): Row[] =>
  chapters.flatMap(({ title, way, features }) =>
    features.map((feature): Row => {
      const cells: Row["cells"] = {};
      for (const surface of surfaces)
        for (const upstream of upstreams) {
          const cell = probe(way, feature, surface, upstream);
          if (cell) cells[surface] = { ...cells[surface], [upstream]: cell };
        }
      return { chapter: title, way, feature: feature.name, cells };
    }),
  );

const intro = `# What arrives

What becomes of each feature between the surface that a caller uses and the protocol that the provider speaks. Written
by the tests: each cell is a probe that was translated and looked for on the other side. \`matrix.json\` beside this
page also says, for each cell, what the caller is told.

- **kept**: it arrives as it was said.
- approximated: it arrives in another form, or not all of it, and the caller is told.
- refused: the request is answered with an error that names the field and the model.
- lost: it does not arrive, and the caller is told.
- (empty): the one who would have to say it has no words for it.

The model is one of which the catalog says nothing: what a catalog says can turn an approximation into the real thing.
Where both sides speak one protocol nothing is translated.
`;

const ways: Record<Chapter["way"], string> = {
  ask: "From the caller to the provider.",
  answer: "From the provider to the caller.",
  echo: "From the provider to the caller and, in the next request, back.",
};

/** The matrix as a page: a table for each surface and chapter. */
export function page(rows: readonly Row[]): string {
  const tables = surfaces.map((surface) => {
    const sections = chapters.map(({ title, way }) => {
      const lines = rows
        .filter((row) => row.chapter === title && row.cells[surface])
        .map(({ feature, cells }) => {
          const words = upstreams.map((upstream) => cells[surface]?.[upstream]?.verdict ?? "");
          return `| ${[feature, ...words.map((word) => (word === "kept" ? "**kept**" : word))].join(" | ")} |`;
        });
      if (lines.length === 0) return "";
      const top = `| | ${upstreams.join(" | ")} |\n|---|${upstreams.map(() => "---|").join("")}`;
      return `### ${title}\n\n${ways[way]}\n\n${top}\n${lines.join("\n")}\n`;
    });
    return `## Callers of ${surface}\n\n${sections.filter(Boolean).join("\n")}`;
  });
  return `${intro}\n${tables.join("\n")}`;
}
