import { firstFinding } from "../../check/finding.ts";
import { checkRules } from "../../check/rule.ts";
import type { Media, Part, RequestContent, Text, Turn } from "../../content/request-content.ts";
import { documentOf, imageOf, inlineOf, toRefusal } from "../family.ts";
import type { Call } from "../protocol.ts";
import { rules } from "./rules.ts";
import { type Body, type Message, schema, type UserPart } from "./schema.ts";

type Marked = { prompt_cache_breakpoint?: { mode: "explicit"; ttl?: "30m" | "12h" } };

const markOf = ({ prompt_cache_breakpoint: mark }: Marked): Pick<Text, "mark"> =>
  mark ? { mark: mark.ttl === "12h" ? "1h" : "5m" } : {};

function mediaOf(part: Exclude<UserPart, { type: "text" }>, at: string): Media {
  switch (part.type) {
    case "image_url":
      return imageOf(part.image_url.url, `${at}.image_url.url`);
    case "input_audio":
      return inlineOf(
        "audio",
        `audio/${part.input_audio.format}`,
        part.input_audio.data,
        `${at}.input_audio.data`,
      );
    case "file":
      return documentOf(part.file, `${at}.file`);
  }
}

function userParts(content: string | UserPart[], at: string): Part[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return content.map((part, index) => ({
    ...(part.type === "text" ? { type: "text" as const, text: part.text } : mediaOf(part, `${at}[${index}]`)),
    ...markOf(part),
  }));
}

type AssistantContent = Extract<Message, { role: "assistant" }>["content"];

function texts(content: AssistantContent): Text[] {
  if (content == null || content === "") return [];
  if (typeof content === "string") return [{ type: "text", text: content }];
  return content.map((part) =>
    part.type === "text"
      ? { type: "text", text: part.text, ...markOf(part) }
      : { type: "text", text: part.refusal },
  );
}

function turnOf(message: Message, index: number): Turn | undefined {
  switch (message.role) {
    case "user":
      return { role: "user", parts: userParts(message.content, `messages[${index}].content`) };
    case "assistant": {
      const { content, reasoning_content, tool_calls = [], function_call } = message;
      const calls = tool_calls.map(
        (call): Part =>
          call.type === "function"
            ? { type: "call", id: call.id, name: call.function.name, args: call.function.arguments }
            : { type: "call", id: call.id, name: call.custom.name, args: call.custom.input },
      );
      if (function_call)
        calls.push({
          type: "call",
          id: function_call.name,
          name: function_call.name,
          args: function_call.arguments,
        });
      const reasoning: Part[] = reasoning_content ? [{ type: "reasoning", text: reasoning_content }] : [];
      return { role: "assistant", parts: [...reasoning, ...texts(content), ...calls] };
    }
    case "tool":
      return {
        role: "user",
        parts: [{ type: "result", id: message.tool_call_id, parts: texts(message.content), failed: false }],
      };
    case "function":
      return {
        role: "user",
        parts: [
          {
            type: "result",
            id: message.name,
            name: message.name,
            parts: texts(message.content),
            failed: false,
          },
        ],
      };
    default:
      return undefined;
  }
}

function toolsOf({ tools = [], functions = [] }: Body): RequestContent["tools"] {
  const all = [
    ...tools.map((tool) => (tool.type === "function" ? tool.function : tool.custom)),
    ...functions,
  ];
  return all.map((tool) => ({
    name: tool.name,
    description: tool.description,
    schema:
      "parameters" in tool && tool.parameters
        ? tool.parameters
        : { type: "object", properties: "format" in tool ? { input: { type: "string" } } : {} },
  }));
}

function choiceOf({ tool_choice: choice, function_call }: Body): RequestContent["choice"] {
  if (typeof function_call === "object") return { mode: "any", names: [function_call.name] };
  const simple = choice ?? function_call ?? "auto";
  if (typeof simple === "string") return { mode: simple === "required" ? "any" : simple };
  if (simple.type === "function") return { mode: "any", names: [simple.function.name] };
  if (simple.type === "custom") return { mode: "any", names: [simple.custom.name] };
  const { mode, tools } = simple.allowed_tools;
  return { mode: mode === "required" ? "any" : "auto", names: tools.map((tool) => tool.function.name) };
}

function formatOf({ response_format: format }: Body): RequestContent["format"] {
  if (!format || format.type === "text") return { type: "text" };
  return { type: "json", schema: format.type === "json_schema" ? format.json_schema.schema : undefined };
}

export function read(input: unknown, call: Call): { body: Body; content: RequestContent } {
  const parsed = schema.safeParse(input);
  if (!parsed.success) throw toRefusal(firstFinding(parsed.error, input));
  const body = parsed.data;
  checkRules(rules, body, call);
  const system = body.messages.flatMap((message) =>
    message.role === "system" || message.role === "developer" ? texts(message.content) : [],
  );
  const limit = body.max_completion_tokens ?? body.max_tokens ?? undefined;
  return {
    body,
    content: {
      system,
      turns: body.messages.flatMap((message, index) => turnOf(message, index) ?? []),
      tools: toolsOf(body),
      choice: choiceOf(body),
      parallel: body.parallel_tool_calls ?? !body.functions,
      format: formatOf(body),
      reasoning: body.reasoning_effort != null && body.reasoning_effort !== "none",
      ...(limit === undefined ? {} : { limit }),
      stop: typeof body.stop === "string" ? [body.stop] : (body.stop ?? []),
      alternatives: body.n ?? 1,
    },
  };
}
