const accepted = (flags: string): ReadonlySet<string> => new Set(flags.split(" "));

const shared =
  "compact-2026-01-12 computer-use-2025-01-24 computer-use-2025-11-24 context-1m-2025-08-07 context-management-2025-06-27 dangerous-tool-use-2026-09-03 interleaved-thinking-2025-05-14 thinking-binding-controls-2026-08-01 thinking-display-updates-2026-08-18 tool-search-tool-2025-10-19 ";

/**
 * The beta flags that Bedrock takes. Read in 2026-11 from BerriAI/litellm: anthropic_beta_headers_config.json, and from
 * what others tried one by one: envoyproxy/ai-gateway#2512, router-for-me/CLIProxyAPI#4750.
 */
export const bedrockBetas: ReadonlySet<string> = /* @__PURE__ */ accepted(
  `${shared}effort-2025-11-24 fine-grained-tool-streaming-2025-05-14 mid-conversation-output-config-2026-07-01 mid-conversation-tool-changes-2026-07-01 token-efficient-tools-2025-02-19`,
);

/** The same for Vertex AI, from BerriAI/litellm: anthropic_beta_headers_config.json. */
export const vertexBetas: ReadonlySet<string> = /* @__PURE__ */ accepted(
  `${shared}compact-2026-09-04 per-turn-control-2026-07-01 web-search-2025-03-05`,
);

/** Flags of the vendor's own servers for what platforms have another for. */
export const renamedBetas: Readonly<Record<string, string>> = {
  "advanced-tool-use-2025-11-20": "tool-search-tool-2025-10-19",
};
