/** One command-line agent: how it is pointed at a gateway, and which tool reads a file. */
export interface Agent {
  name: string;
  /** The command, as its npm package installs it. */
  command: string;
  /** The model that it is put on. */
  model: string;
  /** It asks over WebSockets; `refused` ones make it fall back. */
  sockets?: "served" | "refused";
  /** The directive that makes the simulated model read `file` with the agent's own tool. */
  read(file: string): string;
  args(prompt: string, options: { model: string; base: string; key: string }): string[];
  env(options: { home: string; base: string; key: string; model: string }): Record<string, string>;
  /** Files that it wants below its home: path and text. */
  files?(options: { base: string; key: string; model: string }): Record<string, string>;
}

const FOREIGN = {
  "sim-chatstyle": "chat-completions",
  "sim-msgstyle": "messages",
  "sim-genstyle": "generate-content",
};

/** Codex on a model of another protocol. */
export const codexOn = (model: string, by: string, sockets?: "served" | "refused"): Agent => ({
  name: `Codex on a ${by}`,
  command: "codex",
  model,
  ...(sockets && { sockets }),
  read: (file) => `[[call:exec_command {"cmd":${JSON.stringify(`cat ${file}`)}}]]`,
  args: (prompt) => [
    "exec",
    "--skip-git-repo-check",
    "--dangerously-bypass-approvals-and-sandbox",
    "--json",
    "-m",
    model,
    prompt,
  ],
  env: ({ home, key }) => ({ CODEX_HOME: home, GATEWAY_KEY: key }),
  files: ({ base }) => ({
    "config.toml": [
      'model_provider = "gw"',
      "check_for_update_on_startup = false",
      "[model_providers.gw]",
      'name = "gateway"',
      `base_url = "${base}/api/chatstyle/v1"`,
      'env_key = "GATEWAY_KEY"',
      'wire_api = "responses"',
      `supports_websockets = ${sockets !== undefined}`,
      "request_max_retries = 0",
      "stream_max_retries = 0",
      "[features]",
      "plugins = false",
      "[analytics]",
      "enabled = false",
      "",
    ].join("\n"),
  }),
});

const CODEX: Agent[] = Object.entries(FOREIGN).flatMap(([model, protocol]) => [
  codexOn(model, `${protocol} model over SSE`),
  codexOn(model, `${protocol} model over a WebSocket`, "served"),
]);
CODEX.push(codexOn("sim-msgstyle", "messages model where WebSockets are switched off", "refused"));

/** Of the generation that takes budgets of thinking, and no levels. */
export const OLDER = "gemini-2.5-flash";

/** Claude Code on a model of another protocol. */
export const claudeOn = (model: string, by: string): Agent => ({
  name: `Claude Code on a ${by} model, ${model}`,
  command: "claude",
  model,
  read: (file) => `[[call:Read {"file_path":${JSON.stringify(file)}}]] [[reason]]`,
  args: (prompt) => ["-p", prompt, "--output-format", "text", "--allowedTools", "Read"],
  env: ({ base, key, model }) => ({
    ANTHROPIC_BASE_URL: `${base}/api/msgstyle`,
    ANTHROPIC_API_KEY: key,
    ANTHROPIC_MODEL: model,
    ANTHROPIC_SMALL_FAST_MODEL: model,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_TELEMETRY: "1",
    DISABLE_ERROR_REPORTING: "1",
    DISABLE_AUTOUPDATER: "1",
  }),
});

/** Gemini CLI on a model of another protocol. */
export const geminiOn = (model: string, by: string): Agent => ({
  name: `Gemini CLI on a ${by} model`,
  command: "gemini",
  model,
  read: (file) => `[[call:read_file {"file_path":${JSON.stringify(file)}}]] [[reason]]`,
  args: (prompt) => ["--approval-mode", "yolo", "-m", model, "-p", prompt, "-o", "json"],
  env: ({ home, base, key }) => ({
    HOME: home,
    GOOGLE_GEMINI_BASE_URL: `${base}/api/genstyle`,
    GEMINI_API_KEY: key,
    GEMINI_CLI_TRUST_WORKSPACE: "true",
  }),
  files: () => ({
    ".gemini/settings.json": JSON.stringify({
      security: { auth: { selectedType: "gemini-api-key" } },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
    }),
  }),
});

/** Qwen Code on a model of another protocol. */
export const qwenOn = (model: string, by: string): Agent => ({
  name: `Qwen Code on a ${by} model`,
  command: "qwen",
  model,
  read: (file) => `[[call:read_file {"file_path":${JSON.stringify(file)}}]]`,
  args: (prompt) => ["--auth-type", "openai", "--approval-mode", "yolo", "-p", prompt, "-o", "json"],
  env: ({ home, base, key, model }) => ({
    HOME: home,
    OPENAI_BASE_URL: `${base}/api/chatstyle/v1`,
    OPENAI_API_KEY: key,
    OPENAI_MODEL: model,
  }),
  files: () => ({
    ".qwen/settings.json": JSON.stringify({
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
    }),
  }),
});

/** opencode, over the messages surface, on a model of another protocol. */
export const opencodeOn = (model: string, by: string): Agent => ({
  name: `opencode on a ${by} model`,
  command: "opencode",
  model,
  read: (file) => `[[call:read {"filePath":${JSON.stringify(file)}}]]`,
  // It puts an argument with spaces between quotes.
  args: (prompt, { model }) => ["run", "--format", "json", "-m", `anthropic/${model}`, ...prompt.split(" ")],
  env: ({ home, key }) => ({
    HOME: home,
    XDG_CONFIG_HOME: `${home}/.config`,
    XDG_DATA_HOME: `${home}/.local/share`,
    ANTHROPIC_API_KEY: key,
    OPENCODE_DISABLE_AUTOUPDATE: "true",
    OPENCODE_DISABLE_MODELS_FETCH: "true",
  }),
  files: ({ base, model }) => ({
    ".config/opencode/opencode.json": JSON.stringify({
      autoupdate: false,
      share: "disabled",
      permission: { read: "allow", external_directory: "allow" },
      provider: {
        anthropic: {
          options: { baseURL: `${base}/api/msgstyle/v1` },
          models: {
            [model]: {
              name: model,
              tool_call: true,
              reasoning: true,
              limit: { context: 200_000, output: 8_000 },
            },
          },
        },
      },
      small_model: `anthropic/${model}`,
    }),
  }),
});

export const agents: Agent[] = [
  claudeOn("sim-chatstyle", "chat-completions"),
  claudeOn("sim-responses", "responses"),
  claudeOn("sim-genstyle", "generate-content"),
  claudeOn(OLDER, "generate-content"),
  geminiOn("sim-chatstyle", "chat-completions"),
  geminiOn("sim-responses", "responses"),
  geminiOn("sim-msgstyle", "messages"),
  ...CODEX,
  qwenOn("sim-genstyle", "generate-content"),
  {
    name: "pi on a chat-completions model, over generate-content",
    command: "pi",
    model: "sim-chatstyle",
    read: (file) => `[[call:read {"path":${JSON.stringify(file)}}]]`,
    args: (prompt, { model }) => ["--provider", "gw", "--model", model, "--no-session", "-p", prompt],
    env: ({ home, key }) => ({ HOME: home, PI_OFFLINE: "1", GATEWAY_KEY: key }),
    files: ({ base, model }) => ({
      ".pi/agent/models.json": JSON.stringify({
        providers: {
          gw: {
            baseUrl: `${base}/api/genstyle/v1beta`,
            apiKey: "GATEWAY_KEY",
            api: "google-generative-ai",
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
      }),
    }),
  },
];
