import type { Rule } from "../../check/rule.ts";
import type { Body } from "../../protocols/chatstyle/schema.ts";
import { type Family, type FamilyCall, wireRules } from "../family.ts";

/** The models and their efforts, as the vendor's page on reasoning has them in November 2026. */
const GENERATIONS: readonly { name: string; names: RegExp; efforts: readonly string[] }[] = [
  { name: "grok-3-mini", names: /grok-3-mini/, efforts: ["low", "high"] },
  { name: "grok-4.3", names: /grok-4\.3/, efforts: ["none", "low", "medium", "high"] },
  { name: "grok-4.5", names: /grok-4\.5/, efforts: ["low", "medium", "high"] },
  { name: "grok-4.6", names: /grok-4\.[67]/, efforts: ["low", "medium", "high", "xhigh"] },
  { name: "grok-4.20", names: /grok-4/, efforts: [] },
];

const refused = (field: keyof Body, name: string): Rule<Body, FamilyCall> => ({
  field: name,
  broken: (body, { model }) => body[field] != null && `Model ${model} does not support parameter ${name}.`,
  message: "",
});

const rulesOf = (efforts: readonly string[]): Rule<Body, FamilyCall>[] => [
  {
    field: "reasoningEffort",
    broken: ({ reasoning_effort: effort }, { model }) => {
      if (effort == null || efforts.includes(effort)) return false;
      if (efforts.length === 0) return `Model ${model} does not support parameter reasoningEffort.`;
      return `This model does not support 'reasoning_effort' value '${effort}'`;
    },
    message: "",
  },
  refused("presence_penalty", "presencePenalty"),
  refused("frequency_penalty", "frequencyPenalty"),
  {
    field: "stop",
    broken: ({ stop }) => stop != null,
    message: "Argument not supported on this model: stop",
  },
];

export const fewEfforts: readonly Family[] = GENERATIONS.map(({ name, names, efforts }) => ({
  name,
  names,
  wires: {
    chatstyle: wireRules<Body>({
      rules: rulesOf(efforts),
      errorBody: ({ message }) => ({
        code: "Client specified an invalid argument",
        error: message,
      }),
    }),
  },
}));
