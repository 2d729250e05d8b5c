import type { ParamKinds, ParamName, Params } from "@manifold-gateway/core/ir";
import fc from "fast-check";
import { factOf, paramNames } from "../../../packages/core/src/ir/params.ts";
import { maybe, sparse } from "./common.ts";

/** Values of each kind of parameter. */
const kinds: { [Kind in keyof ParamKinds]: fc.Arbitrary<ParamKinds[Kind]> } = {
  number: fc.constantFrom(0, 0.1, 1.1),
  boolean: fc.boolean(),
  text: fc.constant("text-1"),
  texts: fc.constantFrom(["end"], ["a", "b", "c", "d", "e", "f"]),
  weights: fc.constant({ "50256": -100 }),
  labels: fc.constant({ team: "a" }),
};

/** Parameters whose wires treat some values in another way than others. */
const particular: { [Name in ParamName]?: fc.Arbitrary<Params[Name]> } = {
  maxTokens: fc.constantFrom(1, 100, 4096, 30_000),
  temperature: fc.constantFrom(0, 0.5, 1, 1.7),
  topP: fc.constantFrom(0, 0.5, 1),
  topK: fc.constantFrom(0, 40),
  frequencyPenalty: fc.constantFrom(-2, 0, 1),
  presencePenalty: fc.constantFrom(-2, 0, 1),
  seed: fc.constantFrom(0, 7),
  topLogprobs: fc.constantFrom(0, 5),
  candidates: fc.constantFrom(1, 3),
  verbosity: fc.constantFrom("low", "high"),
  serviceTier: fc.constantFrom("auto", "flex", "priority"),
};

/** Any parameters but the second id of a user, which no wire reads alone. */
export const params: fc.Arbitrary<Params> = sparse<Params>(
  Object.fromEntries(
    paramNames
      .filter((name) => name !== "safetyId")
      .map((name) => [name, maybe<unknown>(particular[name] ?? kinds[factOf(name).kind])]),
  ),
);
