export {
  CostTooLarge,
  type Counts,
  costLines,
  costOf,
  dollarOf,
  type Price,
  UNITS,
  type Unit,
  unitTerms,
} from "./cost.ts";
export { countedUnits, sells } from "./counted.ts";
