/** One line of a measurement. */
export interface Row {
  target: string;
  /** With its unit. */
  value: string;
  /** Of the server under measurement, where it is ours. */
  cpu?: string;
  /** Beside others of the same run. */
  ratios?: readonly string[];
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

export function createReport(print: (line: string) => void = console.log): Report {
  const sections: Section[] = [];
  return {
    add(title, rows) {
      sections.push({ title, rows: [...rows] });
      print(`\n${title}`);
      const width = Math.max(...rows.map(({ target }) => target.length));
      for (const { target, value, cpu = "", ratios = [] } of rows)
        print(`  ${target.padEnd(width)}  ${value.padStart(16)}  ${cpu.padStart(14)}  ${ratios.join("  ")}`);
    },
    table: () =>
      [
        "| measured | target | | CPU | beside |",
        "|---|---|---|---|---|",
        ...sections.flatMap(({ title, rows }) =>
          rows.map(
            ({ target, value, cpu = "", ratios = [] }, i) =>
              `| ${i === 0 ? title : ""} | ${target} | ${value} | ${cpu} | ${ratios.join(", ")} |`,
          ),
        ),
      ].join("\n"),
  };
}
