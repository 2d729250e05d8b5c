export {
  CostTooLarge,
  type Counts,
  costLines,
  costOf,
  dollarOf,
  isUnit,
  type Price,
  UNITS,
  type Unit,
  unitTerms,
} from "./cost.ts";
export { countedUnits, sells } from "./counted.ts";
