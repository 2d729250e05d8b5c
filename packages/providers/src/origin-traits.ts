import type { Traits } from "@manifold-gateway/core/codec";

/** The hosts whose servers take newer spellings, whatever their models are called: deployments have names of their own. */
const hosts: readonly [host: RegExp, traits: Traits][] = [
  [
    /(?:^|\.)(?:api\.openai\.com|openai\.azure\.com)$/,
    {
      developer: true,
      freeform: true,
      toolSets: true,
      resultTexts: true,
      maxTokensField: "max_completion_tokens",
    },
  ],
];

/** The traits of all models at an address; none if nothing is known about it. */
export const originTraits = ({ hostname }: URL): Traits | undefined =>
  hosts.find(([host]) => host.test(hostname))?.[1];
