export { DIRECTIVES, type Directives } from "./directives.ts";
export { FAULTS, type Fault } from "./faults.ts";
export type { Delivered, Ledger, LedgerEntry } from "./ledger.ts";
export type { SimulatorOptions } from "./options.ts";
export type { ScriptMatch } from "./script.ts";
export { createSimulator, type Simulator } from "./simulator.ts";
export { countTokens, MEDIA_TOKENS, type Usage } from "./tokens.ts";
export { VARIANTS } from "./variants.ts";
