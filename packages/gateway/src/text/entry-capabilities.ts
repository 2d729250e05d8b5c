import type { Capabilities } from "@manifold-gateway/core/capability";
import type { Resolution } from "../routing/candidate.ts";
import { traitsOf } from "../routing/traits.ts";

/** Members that are left out for a model that does not reason, on every surface. */
const unthinking = { reasoningEffort: "drop", thinking: "drop", includeReasoning: "drop" } as const;

/**
 * The capabilities of an entry; undefined: it accepts anything. If its traits say that the model doesn't reason, the
 * parameters of reasoning are left out, unless its capabilities mention one of them.
 */
export function capabilitiesOf({ entry, provider, protocol, learnt }: Resolution): Capabilities | undefined {
  const { capabilities } = entry;
  if (traitsOf(entry, provider, protocol, learnt).thinking?.length !== 0) return capabilities;
  const text = capabilities?.text;
  const named = [
    ...(text?.supportedParameters ?? []),
    ...Object.keys({ ...capabilities?.params, ...text?.params, ...text?.unsupported }),
  ];
  return named.some((name) => Object.hasOwn(unthinking, name.split(".")[0] as string))
    ? capabilities
    : { ...capabilities, text: { ...text, unsupported: { ...text?.unsupported, ...unthinking } } };
}
