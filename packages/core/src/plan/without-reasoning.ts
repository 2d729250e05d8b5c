import type { Capabilities } from "../capability/schema.ts";

/** The parameters of reasoning, with the effect for a model that does not reason. */
const reasoningParams = { reasoningEffort: "drop", thinking: "drop", includeReasoning: "drop" } as const;

/**
 * The capabilities of a model that does not reason: the parameters of reasoning are left out, unless its capabilities
 * mention one of them.
 */
export function withoutReasoning(capabilities: Capabilities | undefined): Capabilities | undefined {
  const text = capabilities?.text;
  const named = [
    ...(text?.supportedParameters ?? []),
    ...Object.keys({ ...capabilities?.params, ...text?.params, ...text?.unsupported }),
  ];
  return named.some((name) => Object.hasOwn(reasoningParams, name.split(".")[0] as string))
    ? capabilities
    : { ...capabilities, text: { ...text, unsupported: { ...text?.unsupported, ...reasoningParams } } };
}
