export type { Ledger, LedgerEntry } from "./ledger.ts";
export type { SimulatorOptions } from "./options.ts";
export { sampleNamed, samples } from "./samples/index.ts";
export { DIRECTIVES, type Directives } from "./script/directives.ts";
export { FAULTS, type Fault } from "./script/faults.ts";
export { OUTCOMES } from "./script/outcomes.ts";
export { createSimulator, type Simulator } from "./simulator.ts";
