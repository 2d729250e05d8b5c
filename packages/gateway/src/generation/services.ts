/** The services that planning a generation of text or embeddings uses. */
const planServices = [
  "admission",
  "billing",
  "catalog",
  "faultOfUrl",
  "holds",
  "now",
  "protocols",
  "providers",
  "routing",
] as const;
export type PlanService = (typeof planServices)[number];

/** The services that counting the tokens of a request uses. */
export const countServices = [...planServices, "client", "counts", "log"] as const;
export type CountService = (typeof countServices)[number];

/** The services that such a generation uses from its request to its end. */
export const generationServices = [...planServices, "id", "limits", "log", "steady", "transport"] as const;
export type GenerationService = (typeof generationServices)[number];

/** Those of text. */
export const textServices = [
  ...generationServices,
  "answers",
  "deferral",
  "guards",
  "responsesReasoning",
  "store",
  "streams",
  "wholeCatalog",
] as const;
export type TextService = (typeof textServices)[number];

/** Those of other operations, whose inputs and answers may be files. */
export const operationServices = [...generationServices, "guards", "media", "streams"] as const;
export type OperationService = (typeof operationServices)[number];
