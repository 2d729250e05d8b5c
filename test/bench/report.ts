/** One line of a measurement; every cell is text with its unit. */
export interface Row {
  target: string;
  value: string;
  /** Of the server under measurement, where the system tells. */
  cpu?: string | undefined;
  /** That CPU beside the same of a baseline in this run. */
  relative?: string | undefined;
  wanted?: string | undefined;
  also?: string | undefined;
}

interface Section {
  title: string;
  rows: Row[];
}

/** What was measured, printed as it comes, and in the end as one table. */
export interface Report {
  add(title: string, rows: readonly Row[]): void;
  /** All of it in Markdown. */
  table(): string;
}

const COLUMNS = ["target", "value", "cpu", "relative", "wanted", "also"] as const;

export function createReport(print: (line: string) => void = console.log): Report {
  const sections: Section[] = [];
  return {
    add(title, rows) {
      sections.push({ title, rows: [...rows] });
      const width = (column: (typeof COLUMNS)[number]): number =>
        Math.max(...rows.map((row) => row[column]?.length ?? 0));
      print(`\n${title}`);
      for (const row of rows)
        print(`  ${COLUMNS.map((column) => (row[column] ?? "").padEnd(width(column))).join("  ")}`.trimEnd());
    },
    table: () =>
      [
        "| measured | target | | CPU | relative | wanted | also |",
        "|---|---|---|---|---|---|---|",
        ...sections.flatMap(({ title, rows }) =>
          rows.map((row, i) => {
            const cells = COLUMNS.map((column) => row[column] ?? "");
            return `| ${[i === 0 ? title : "", ...cells].join(" | ")} |`;
          }),
        ),
      ].join("\n"),
  };
}
