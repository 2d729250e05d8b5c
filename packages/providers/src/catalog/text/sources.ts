/** The pages and programs that the rows were read from, with the month. */
export const sources = {
  "gpt-6-guide": { at: "developers.openai.com: Using GPT-6", read: "2026-11" },
  "claude-models": {
    at: "platform.claude.com: models overview, migration guides, What's new, prompt caching",
    read: "2026-11",
  },
  "gemini-cloud": { at: "docs.cloud.google.com: Gemini 3.8 Flash", read: "2026-11" },
  "gemini-image-issue": {
    at: "github.com/googleapis/js-genai, issue 1116, and langchain-ai/langchain-google, issue 1431",
    read: "2026-11",
  },
  "deepseek-thinking": { at: "api-docs.deepseek.com: Thinking Mode", read: "2026-11" },
  "kimi-parameters": { at: "platform.kimi.ai: Parameter Comparison", read: "2026-11" },
  "grok-reasoning": { at: "docs.x.ai: Reasoning", read: "2026-11" },
  "minimax-issue": { at: "github.com/QwenLM/qwen-code, issue 11905", read: "2026-11" },
  "muse-cloud": { at: "docs.cloud.google.com: Muse Spark 1.3", read: "2026-11" },
  "muse-guide": {
    at: "github.com/promptfoo/promptfoo: site/docs/providers/meta.md, and anomalyco/models.dev: providers/meta",
    read: "2026-11",
  },
  "muse-open": { at: "console.groq.com: Muse Spark Open", read: "2026-11" },
  "mimo-issue": {
    at: "github.com/VicBilibily/GCMP, issue 171, and agno-agi/agno: models/xiaomi",
    read: "2026-11",
  },
  "longcat-issue": { at: "github.com/farion1231/cc-switch, issue 7201", read: "2026-11" },
  "mistral-issue": { at: "github.com/BerriAI/litellm, issue 17761", read: "2026-11" },
  "nova-issues": {
    at: "github.com/pydantic/pydantic-ai: profiles, UKGovernmentBEIS/inspect_ai, issue 3767, and maximhq/bifrost, pull request 1116",
    read: "2026-11",
  },
  "model-probes": { at: "github.com/enricoros/big-AGI: src/modules/llms/server", read: "2026-08" },
  "model-profiles": { at: "github.com/pydantic/pydantic-ai: profiles, providers, models", read: "2026-08" },
  "model-list": { at: "github.com/anomalyco/models.dev: providers", read: "2026-07" },
} as const satisfies Record<string, { at: string; read: string }>;

export type Source = keyof typeof sources;
