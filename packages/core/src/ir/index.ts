export * from "./event.ts";
export * from "./fold.ts";
export { type ParamKinds, type ParamName, type Params, paramFacts } from "./params.ts";
export * from "./part.ts";
export * from "./reply.ts";
export * from "./request.ts";
export * from "./usage.ts";
