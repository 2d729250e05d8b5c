export { type Issue, issuesOf } from "./issues.ts";
export {
  any,
  array,
  boolean,
  type Infer,
  type Need,
  type Node,
  nullish,
  number,
  type ObjectNode,
  object,
  oneOf,
  optional,
  record,
  recordOf,
  type Schema,
  string,
  union,
  type VariantNode,
  variant,
} from "./node.ts";
export { assertOptions, optionError } from "./option-error.ts";
export { plainWords } from "./plain-message.ts";
export {
  type Fault,
  type NodeValidator,
  type Validated,
  type Validator,
  type ValidatorOptions,
  validator,
} from "./validator.ts";
