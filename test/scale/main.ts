import { toTable } from "./print.ts";
import { parts } from "./scenarios.ts";
import { simulate } from "./simulate.ts";

// Simulates under a virtual clock what cannot be run on a few cores: docs/scale.md says how to read it.
for (const { title, scenarios } of parts)
  console.log(`\n${title}\n\n${toTable(scenarios.map((scenario) => simulate(scenario)))}`);
