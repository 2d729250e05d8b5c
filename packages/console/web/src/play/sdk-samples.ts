import { toPythonValue } from "../api/languages.ts";
import type { WireName } from "../codecs/wires.ts";

/** A request as a program of an SDK makes it. */
export interface SdkCall {
  origin: string;
  model: string;
  /** Whether the answer arrives as it is generated. */
  stream: boolean;
  body: Readonly<Record<string, unknown>>;
}

interface SdkWriter {
  /** Its package, by which people know it. */
  name: string;
  javascript: (call: SdkCall) => string;
  python: (call: SdkCall) => string;
}

/** The arguments of a call in Python: those that the SDK knows by name, and the rest as further members of the body. */
function pythonArguments(
  members: Readonly<Record<string, unknown>>,
  parameters: ReadonlySet<string>,
): string {
  const entries = Object.entries(members);
  const named = entries.filter(([name]) => parameters.has(name));
  const others = Object.fromEntries(entries.filter(([name]) => !parameters.has(name)));
  const all = Object.keys(others).length > 0 ? [...named, ["extra_body", others] as const] : named;
  return all.map(([name, value]) => `    ${name}=${toPythonValue(value, "    ")},\n`).join("");
}

const indented = (value: unknown): string => JSON.stringify(value, null, 2);

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** How an SDK calls, and how its answers are read: all that differs between those that take the body as it is. */
interface Direct {
  name: string;
  client: string;
  javascriptPackage: string;
  pythonPackage: string;
  base: string;
  method: string;
  /** The parameters of the method in Python. */
  parameters: ReadonlySet<string>;
  /** The text of an event of a stream, and of a whole answer. */
  javascriptText: { stream: string; whole: string };
  pythonText: { stream: readonly string[]; whole: string };
}

const direct = (sdk: Direct): SdkWriter => ({
  name: sdk.name,
  javascript: ({ origin, body, stream }) =>
    [
      `import ${sdk.client} from "${sdk.javascriptPackage}";`,
      "",
      `const client = new ${sdk.client}({`,
      "  apiKey: process.env.MANIFOLD_KEY,",
      `  baseURL: ${JSON.stringify(origin + sdk.base)},`,
      "});",
      `const answer = await client.${sdk.method}(${indented(body)});`,
      ...(stream
        ? ["for await (const event of answer) {", `  ${sdk.javascriptText.stream}`, "}"]
        : [`console.log(${sdk.javascriptText.whole});`]),
    ].join("\n"),
  python: ({ origin, body, stream }) =>
    [
      "import os",
      `from ${sdk.pythonPackage} import ${sdk.client}`,
      "",
      `client = ${sdk.client}(`,
      '    api_key=os.environ["MANIFOLD_KEY"],',
      `    base_url=${JSON.stringify(origin + sdk.base)},`,
      ")",
      `answer = client.${sdk.method}(`,
      `${pythonArguments(body, sdk.parameters)})`,
      ...(stream
        ? ["for event in answer:", ...sdk.pythonText.stream.map((line) => `    ${line}`)]
        : [`print(${sdk.pythonText.whole})`]),
    ].join("\n"),
});

/** The settings of a generate-content request that its SDK knows; it leaves out all others. */
const CONFIG = words(
  "systemInstruction tools toolConfig safetySettings cachedContent labels temperature topP topK candidateCount maxOutputTokens stopSequences responseLogprobs logprobs presencePenalty frequencyPenalty seed responseMimeType responseSchema responseJsonSchema responseModalities thinkingConfig",
);

/** A generate-content body as arguments of the SDK, with what it does not know as further members of the body. */
function toConfig({ contents, generationConfig = {}, ...rest }: SdkCall["body"]): Record<string, unknown> {
  const split = (members: object) =>
    [true, false].map((isKnown) =>
      Object.fromEntries(Object.entries(members).filter(([name]) => CONFIG.has(name) === isKnown)),
    ) as [object, object];
  const [known, others] = split(rest);
  const [knownConfig, otherConfig] = split(generationConfig as object);
  const extraBody = {
    ...others,
    ...(Object.keys(otherConfig).length > 0 && { generationConfig: otherConfig }),
  };
  const config = {
    ...known,
    ...knownConfig,
    ...(Object.keys(extraBody).length > 0 && { httpOptions: { extraBody } }),
  };
  return { contents, ...(Object.keys(config).length > 0 && { config }) };
}

const genai: SdkWriter = {
  name: "Google GenAI",
  javascript: ({ origin, model, body, stream }) =>
    [
      'import { GoogleGenAI } from "@google/genai";',
      "",
      "const client = new GoogleGenAI({",
      "  apiKey: process.env.MANIFOLD_KEY,",
      `  httpOptions: { baseUrl: ${JSON.stringify(`${origin}/api/genstyle`)} },`,
      "});",
      `const answer = await client.models.generateContent${stream ? "Stream" : ""}(${indented({ model, ...toConfig(body) })});`,
      ...(stream
        ? ["for await (const event of answer) {", '  process.stdout.write(event.text ?? "");', "}"]
        : ["console.log(answer.text);"]),
    ].join("\n"),
  python: ({ origin, model, body, stream }) => {
    const { contents, config = {} } = toConfig(body);
    const { httpOptions, ...settings } = config as { httpOptions?: { extraBody: object } };
    const all = { ...settings, ...(httpOptions && { http_options: { extra_body: httpOptions.extraBody } }) };
    return [
      "import os",
      "from google import genai",
      "",
      "client = genai.Client(",
      '    api_key=os.environ["MANIFOLD_KEY"],',
      `    http_options={"base_url": ${JSON.stringify(`${origin}/api/genstyle`)}},`,
      ")",
      `answer = client.models.generate_content${stream ? "_stream" : ""}(`,
      `    model=${JSON.stringify(model)},`,
      `    contents=${toPythonValue(contents, "    ")},`,
      ...(Object.keys(all).length > 0 ? [`    config=${toPythonValue(all, "    ")},`] : []),
      ")",
      ...(stream ? ["for event in answer:", '    print(event.text or "", end="")'] : ["print(answer.text)"]),
    ].join("\n");
  },
};

const OPENAI = {
  name: "OpenAI",
  client: "OpenAI",
  javascriptPackage: "openai",
  pythonPackage: "openai",
  base: "/api/chatstyle/v1",
};

/** The SDK of each protocol that has one. */
export const SDKS: { readonly [name in WireName]?: SdkWriter } = {
  chat: direct({
    ...OPENAI,
    method: "chat.completions.create",
    parameters: words(
      "messages model frequency_penalty logit_bias logprobs max_completion_tokens max_tokens metadata modalities n parallel_tool_calls presence_penalty reasoning_effort response_format seed service_tier stop store stream stream_options temperature tool_choice tools top_logprobs top_p user",
    ),
    javascriptText: {
      stream: 'process.stdout.write(event.choices[0]?.delta.content ?? "");',
      whole: "answer.choices[0]?.message.content",
    },
    pythonText: {
      stream: ["if event.choices:", '    print(event.choices[0].delta.content or "", end="")'],
      whole: "answer.choices[0].message.content",
    },
  }),
  responses: direct({
    ...OPENAI,
    method: "responses.create",
    parameters: words(
      "input model include instructions max_output_tokens metadata parallel_tool_calls previous_response_id reasoning service_tier store stream temperature text tool_choice tools top_p truncation user",
    ),
    javascriptText: {
      stream: 'if (event.type === "response.output_text.delta") process.stdout.write(event.delta);',
      whole: "answer.output_text",
    },
    pythonText: {
      stream: ['if event.type == "response.output_text.delta":', '    print(event.delta, end="")'],
      whole: "answer.output_text",
    },
  }),
  messages: direct({
    name: "Anthropic",
    client: "Anthropic",
    javascriptPackage: "@anthropic-ai/sdk",
    pythonPackage: "anthropic",
    base: "/api/msgstyle",
    method: "messages.create",
    parameters: words(
      "max_tokens messages model metadata service_tier stop_sequences stream system temperature thinking tool_choice tools top_k top_p",
    ),
    javascriptText: {
      stream:
        'if (event.type === "content_block_delta" && event.delta.type === "text_delta") process.stdout.write(event.delta.text);',
      whole: "answer.content",
    },
    pythonText: {
      stream: [
        'if event.type == "content_block_delta" and event.delta.type == "text_delta":',
        '    print(event.delta.text, end="")',
      ],
      whole: "answer.content",
    },
  }),
  generate: genai,
};
