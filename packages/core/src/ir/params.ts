import type { Json } from "../json/json.ts";

/** The kinds of values that parameters have. */
export interface ParamKinds {
  /** A whole or decimal number. */
  number: number;
  /** A flag. */
  boolean: boolean;
  /** A word or a line. */
  text: string;
  /** Several texts, as for stop sequences. */
  texts: string[];
  /** Numbers by name. */
  weights: Json;
  /** Texts by name. */
  labels: Record<string, string>;
}
export type ParamKind = keyof ParamKinds;

/** The facts about a parameter that hold on every wire. */
export interface ParamFact {
  kind: ParamKind;
  /** Changes which token is chosen. A model with the trait `sampling: false` refuses such parameters. */
  sampling?: true;
  /**
   * The member that it is, or is in, on the chat wire, whose standard does not have it. A server takes it if the trait
   * `extensions` names the member.
   */
  extension?: string;
  /** About the end user, billing or pictures, not about the text: no model lists it as supported. */
  listed?: false;
  /** Values that ask for what every target does without them: a target that lacks the parameter loses nothing. */
  neutral?: readonly Json[];
}

/**
 * Every scalar parameter of a request, by its name in the IR, in capabilities and on the native wire. A row is all that
 * a new parameter needs: the types, the readers, the schemas of the wires and the listings are made of this table. A
 * wire other than the native one and the chat wire's extensions needs a row of its own, which has the wire's name.
 */
export const paramFacts = {
  maxTokens: { kind: "number" },
  temperature: { kind: "number", sampling: true },
  topP: { kind: "number", sampling: true },
  topK: { kind: "number", sampling: true, extension: "top_k" },
  minP: { kind: "number", sampling: true, extension: "min_p", neutral: [0] },
  topA: { kind: "number", sampling: true, extension: "top_a", neutral: [0] },
  repetitionPenalty: { kind: "number", sampling: true, extension: "repetition_penalty", neutral: [1] },
  frequencyPenalty: { kind: "number", sampling: true, neutral: [0] },
  presencePenalty: { kind: "number", sampling: true, neutral: [0] },
  seed: { kind: "number" },
  stop: { kind: "texts" },
  logitBias: { kind: "weights", neutral: [{}] },
  logprobs: { kind: "boolean", neutral: [false] },
  topLogprobs: { kind: "number", neutral: [0] },
  /** Alternatives to generate. */
  candidates: { kind: "number", neutral: [1] },
  /** What the answer is made of: `text`, `image`, `audio`. */
  modalities: { kind: "texts", extension: "modalities", listed: false, neutral: [["text"]] },
  /** Who speaks in an answer of sound, by the model's own name for the voice. */
  voice: { kind: "text", extension: "audio", listed: false },
  /** Width to height of generated pictures: `16:9`. */
  imageRatio: { kind: "text", extension: "image_config", listed: false },
  /** The pixels of generated pictures, in a word such as `2K`. */
  imageSize: { kind: "text", extension: "image_config", listed: false },
  verbosity: { kind: "text", neutral: ["medium"] },
  serviceTier: { kind: "text", listed: false, neutral: ["auto", "unspecified"] },
  /** A stable id of the end user. */
  user: { kind: "text", listed: false },
  /** The id for the vendor's abuse monitoring, if the request has one beside `user`. */
  safetyId: { kind: "text", listed: false },
  /** Keeps requests with the same key on the same cache. */
  cacheKey: { kind: "text", listed: false },
  store: { kind: "boolean", listed: false, neutral: [false] },
  labels: { kind: "labels", listed: false, neutral: [{}] },
} as const satisfies Record<string, ParamFact>;

/** The name of a scalar parameter, as the IR calls it. */
export type ParamName = keyof typeof paramFacts;

/** The scalars of a request. Absent and falsy differ: `temperature: 0` is a value. */
export type Params = { -readonly [Name in ParamName]?: ParamKinds[(typeof paramFacts)[Name]["kind"]] };

/** The facts about a parameter. */
export const factOf = (name: ParamName): ParamFact => paramFacts[name];

/** The names of all parameters. */
export const paramNames = /* @__PURE__ */ Object.keys(paramFacts) as readonly ParamName[];

/** The name of a parameter that models list as supported. */
export type ListedParam = {
  [Name in ParamName]: (typeof paramFacts)[Name] extends { listed: false } ? never : Name;
}[ParamName];

/** The names of the parameters that models list as supported. */
export const listedParams = /* @__PURE__ */ paramNames.filter(
  (name) => factOf(name).listed !== false,
) as readonly ListedParam[];
