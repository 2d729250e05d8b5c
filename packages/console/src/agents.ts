/** The values in an agent's settings. */
export interface Terms {
  /** The base URL of chat completions and responses. */
  chat: string;
  /** The base URL of messages. */
  messages: string;
  /** The base URL of generate content; SDKs add the version themselves. */
  generate: string;
  /** The id of the model that the agent uses. */
  model: string;
  /** The environment variable that holds the gateway's key. */
  key: string;
}

/** A file of an agent's settings. */
export interface AgentFile {
  /** The file's path: in the home folder if it begins with `~/`, else in the project. */
  path: string;
  /** The content. JSON is merged into an existing file; text is only written to a new file. */
  content: object | string;
}

/** A coding agent: its settings, and a command to try it. */
export interface Agent {
  /** The name by which people know it. */
  name: string;
  /** Environment variables for starting it; the shell expands `$NAME` in a value. */
  variables?(terms: Terms): Record<string, string>;
  /** Files with its settings. */
  files?(terms: Terms): AgentFile[];
  /** A command that sends it one question. */
  run(terms: Terms): string;
}

const toml = (lines: readonly string[]): string => `${lines.join("\n")}\n`;

/** The agents by their names for `setup`; each has a page of that name in docs/agents. */
export const agents: Record<string, Agent> = {
  "claude-code": {
    name: "Claude Code",
    files: ({ messages, key, model }) => [
      {
        path: ".claude/settings.local.json",
        content: {
          apiKeyHelper: `printenv ${key}`,
          env: {
            ANTHROPIC_BASE_URL: messages,
            ANTHROPIC_MODEL: model,
            ANTHROPIC_SMALL_FAST_MODEL: model,
            CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
          },
        },
      },
    ],
    run: () => 'claude -p "Say hello."',
  },
  codex: {
    name: "Codex",
    files: ({ chat, key, model }) => [
      {
        path: "~/.codex/config.toml",
        content: toml([
          `model = "${model}"`,
          'model_provider = "manifold"',
          "",
          "[model_providers.manifold]",
          'name = "Manifold"',
          `base_url = "${chat}"`,
          `env_key = "${key}"`,
          'wire_api = "responses"',
          "supports_websockets = true",
        ]),
      },
    ],
    run: () => 'codex exec --skip-git-repo-check "Say hello."',
  },
  "gemini-cli": {
    name: "Gemini CLI",
    variables: ({ generate, key, model }) => ({
      GOOGLE_GEMINI_BASE_URL: generate,
      GEMINI_API_KEY: `$${key}`,
      GEMINI_MODEL: model,
    }),
    files: () => [
      {
        path: "~/.gemini/settings.json",
        content: {
          security: { auth: { selectedType: "gemini-api-key" } },
          privacy: { usageStatisticsEnabled: false },
        },
      },
    ],
    run: ({ model }) => `gemini -m ${model} -p "Say hello."`,
  },
  opencode: {
    name: "opencode",
    files: ({ chat, key, model }) => [
      {
        path: "opencode.json",
        content: {
          $schema: "https://opencode.ai/config.json",
          provider: {
            manifold: {
              npm: "@ai-sdk/openai-compatible",
              name: "Manifold",
              options: { baseURL: chat, apiKey: `{env:${key}}` },
              models: { [model]: { name: model } },
            },
          },
          model: `manifold/${model}`,
          small_model: `manifold/${model}`,
        },
      },
    ],
    run: ({ model }) => `opencode run -m manifold/${model} hello`,
  },
  aider: {
    name: "aider",
    variables: ({ chat, key, model }) => ({
      OPENAI_API_BASE: chat,
      OPENAI_API_KEY: `$${key}`,
      AIDER_MODEL: `openai/${model}`,
    }),
    // In its other modes it writes files found in any answer.
    run: () => 'aider --chat-mode ask --message "Say hello."',
  },
  continue: {
    name: "Continue",
    files: ({ chat, key, model }) => [
      {
        path: "~/.continue/config.yaml",
        content: toml([
          "name: Manifold",
          "version: 0.0.1",
          "schema: v1",
          "models:",
          `  - name: ${model}`,
          "    provider: openai",
          `    model: ${model}`,
          `    apiBase: ${chat}`,
          `    apiKey: \${{ secrets.${key} }}`,
          "    roles: [chat, edit, apply]",
        ]),
      },
    ],
    run: () => 'cn -p "Say hello."',
  },
  cline: {
    name: "Cline",
    run: ({ chat, key, model }) =>
      `cline auth -p openai -k "$${key}" -m ${model} -b ${chat} && cline -P openai -m ${model} "Say hello."`,
  },
  "qwen-code": {
    name: "Qwen Code",
    variables: ({ chat, key, model }) => ({
      OPENAI_BASE_URL: chat,
      OPENAI_API_KEY: `$${key}`,
      OPENAI_MODEL: model,
    }),
    files: () => [{ path: "~/.qwen/settings.json", content: { privacy: { usageStatisticsEnabled: false } } }],
    run: () => 'qwen --auth-type openai -p "Say hello."',
  },
  pi: {
    name: "pi",
    files: ({ chat, key, model }) => [
      {
        path: "~/.pi/agent/models.json",
        content: {
          providers: {
            manifold: {
              baseUrl: chat,
              api: "openai-responses",
              apiKey: key,
              models: [
                {
                  id: model,
                  name: model,
                  reasoning: false,
                  input: ["text"],
                  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
                  contextWindow: 128_000,
                  maxTokens: 8_000,
                },
              ],
            },
          },
        },
      },
    ],
    run: ({ model }) => `pi --provider manifold --model ${model} --no-session -p "Say hello."`,
  },
};

/** The addresses of the surfaces at an origin. */
export const termsAt = (origin: string, { model, key }: Pick<Terms, "model" | "key">): Terms => ({
  chat: `${origin}/api/chatstyle/v1`,
  messages: `${origin}/api/msgstyle`,
  generate: `${origin}/api/genstyle`,
  model,
  key,
});

/** The lines for a shell: variables, and a first question. */
export const shellLines = (agent: Agent, terms: Terms): string[] => [
  ...Object.entries(agent.variables?.(terms) ?? {}).map(([name, value]) => `export ${name}="${value}"`),
  agent.run(terms),
];

/** An agent's settings as people copy them: its files, and the lines for a shell. */
export const settingLines = (agent: Agent, terms: Terms): string[] => [
  ...(agent.files?.(terms) ?? []).flatMap(({ path, content }) => [
    `# ${path}`,
    ...(typeof content === "string" ? content.trimEnd() : JSON.stringify(content, null, 2)).split("\n"),
    "",
  ]),
  "# in the shell",
  ...shellLines(agent, terms),
];
