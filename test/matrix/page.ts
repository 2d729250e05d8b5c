import { wires } from "../support/wires/index.ts";
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

const intro = `# Translation matrix

What arrives where a caller speaks another protocol than the provider: a chapter for each protocol of callers, a table
for each subject, a column for each protocol of providers. The protocols are chat completions (\`chatstyle\`),
\`responses\`, messages (\`msgstyle\`), generate content (\`genstyle\`), the service's own (\`native\`), and Bedrock's
Converse (\`conversestyle\`), which only providers speak. Where both sides speak the same, the bytes pass through.

| cell | |
|---|---|
| **kept** | it arrives unchanged |
| approximated | it arrives in another form, or in part, and is reported as a loss |
| lost | it does not arrive, and is reported as a loss |
| refused | the request is refused with an error that names the field and the model |
| (empty) | the protocol of the sender cannot express it |

The model of these tables is one of which nothing is known. Where [its traits](models.md) or its capabilities are known,
more arrives, such as the effort of thinking by Converse.

Each cell is a request or reply that a test translates and looks for on the other side.
\`UPDATE_MATRIX=1 npx vitest run test/matrix\` writes this page, and \`matrix.json\` beside it with the losses of each
cell.
`;

const ways: Record<Chapter["way"], string> = {
  ask: "From the caller to the provider.",
  answer: "From the provider to the caller.",
  echo: "From the provider to the caller and, in the next request, back.",
};

/** The matrix as a page: a table for each surface and chapter. */
export function page(rows: readonly Row[]): string {
  const tables = surfaces
    .filter((name) => wires[name].ask !== undefined)
    .map((surface) => {
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
