import type { Result } from "./simulate.ts";

const ms = (value: number): string => (value < 10 ? value.toFixed(1) : value.toFixed(0));
const count = (value: number): string => Math.round(value).toLocaleString("en-US");

const columns: readonly (readonly [string, (result: Result) => string])[] = [
  ["processes", ({ scenario }) => count(scenario.processes)],
  [
    "accounts",
    ({ scenario }) => `${count(scenario.accounts)}${scenario.routing === "home" ? ", at home" : ""}`,
  ],
  ["commit", ({ scenario }) => `${scenario.commitMs} ms`],
  ["ends change", ({ scenario }) => `${scenario.endsChange}`],
  ["commits/s", ({ commitsPerSecond }) => count(commitsPerSecond)],
  ["of accounts", ({ accountCommitsPerSecond }) => count(accountCommitsPerSecond)],
  ["busiest row", ({ busiest }) => `${Math.min(100, 100 * busiest).toFixed(0)} %`],
  ["start waits p50 / p99", ({ starts }) => `${ms(starts.quantile(0.5))} / ${ms(starts.quantile(0.99))} ms`],
  ["end waits p50 / p99", ({ ends }) => `${ms(ends.quantile(0.5))} / ${ms(ends.quantile(0.99))} ms`],
  ["idle", ({ idle, spentPerSecond }) => `${(idle.sum / idle.samples / spentPerSecond).toFixed(1)} s`],
];

const refusals: typeof columns = [
  ["refused", ({ refused }) => count(refused)],
  ["though a lease had it", ({ refusedWrongly }) => count(refusedWrongly)],
  ["though a dead one had it", ({ refusedForDead }) => count(refusedForDead)],
  ["unspent", unspent],
  ["over the limit", ({ over }) => count(over)],
];

function unspent({ scenario, left }: Result): string {
  return `${((100 * left) / (scenario.balance * scenario.accounts)).toFixed(2)} %`;
}

const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;

/** The results as a table in Markdown; what was refused is told where anything was. */
export function toTable(results: readonly Result[]): string {
  const shown = results.some(({ refused }) => refused > 0) ? [...columns, ...refusals] : columns;
  return [
    row(shown.map(([title]) => title)),
    row(shown.map(() => "---")),
    ...results.map((result) => row(shown.map(([, cell]) => cell(result)))),
  ].join("\n");
}
