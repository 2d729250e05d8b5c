import { toTable } from "./print.ts";
import { parts } from "./scenarios.ts";
import { simulate } from "./simulate.ts";

/** What cannot be run on a few cores, under a virtual clock: docs/scale.md says how to read it. */
export function benchScale(): void {
  for (const { title, scenarios } of parts)
    console.log(`\n${title}\n\n${toTable(scenarios.map((scenario) => simulate(scenario)))}`);
}
