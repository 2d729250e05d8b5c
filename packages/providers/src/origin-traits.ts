import type { Traits } from "@manifold-gateway/core/codec";

/**
 * The hosts of which something is known, whatever their models are called: those whose servers take newer spellings,
 * since deployments have names of their own, and one that does not know a member that others of its wire have.
 */
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
  [/^generativelanguage\.googleapis\.com$/, { refuses: ["labels"] }],
];

/** The traits of all models at an address; none if nothing is known about it. */
export const originTraits = ({ hostname }: URL): Traits | undefined =>
  hosts.find(([host]) => host.test(hostname))?.[1];
