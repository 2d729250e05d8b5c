import { firstFinding } from "../../check/finding.ts";
import { checkRules } from "../../check/rule.ts";
import type { Media, Part, RequestContent, Text, Turn } from "../../content/request-content.ts";
import { Refusal } from "../../refusal.ts";
import { documentOf, imageOf, inlineOf, toRefusal } from "../family.ts";
import type { Call } from "../protocol.ts";
import { itemRules, rules } from "./rules.ts";
import { type Body, type InputPart, type Item, schema } from "./schema.ts";

function partOf(part: InputPart, at: string): Text | Media {
  const mark = part.prompt_cache_breakpoint;
  const marked = mark ? { mark: mark.ttl === "12h" ? ("1h" as const) : ("5m" as const) } : {};
  switch (part.type) {
    case "input_text":
      return { type: "text", text: part.text, ...marked };
    case "input_image": {
      const { image_url, file_id } = part;
      if (image_url == null && file_id == null)
        throw new Refusal("invalid", `Missing required parameter: '${at}.image_url'.`, {
          field: `${at}.image_url`,
        });
      const image =
        image_url == null ? { type: "media" as const, kind: "image" as const, label: file_id! } : undefined;
      return { ...(image ?? imageOf(image_url!, `${at}.image_url`)), ...marked };
    }
    case "input_file":
      return { ...documentOf(part, at), ...marked };
    case "input_audio": {
      const { format, data } = part.input_audio;
      return { ...inlineOf("audio", `audio/${format}`, data, `${at}.input_audio.data`), ...marked };
    }
  }
}

const partsOf = (content: string | InputPart[], at: string): (Text | Media)[] =>
  typeof content === "string"
    ? [{ type: "text", text: content }]
    : content.map((part, index) => partOf(part, `${at}[${index}]`));

type Listed = { system?: Text[]; turn?: Turn };

const assistant = (...parts: Part[]): Listed => ({ turn: { role: "assistant", parts } });

function listed(item: Item, index: number): Listed {
  if ("role" in item && "content" in item && (item.type === undefined || item.type === "message")) {
    const { role, content } = item;
    if (role === "assistant") {
      if (typeof content === "string") return assistant({ type: "text", text: content });
      return assistant(
        ...content.map(
          (part): Text => ({ type: "text", text: part.type === "output_text" ? part.text : part.refusal }),
        ),
      );
    }
    const parts = partsOf(content as string | InputPart[], `input[${index}].content`);
    if (role === "user") return { turn: { role, parts } };
    return { system: parts.filter((part) => part.type === "text") };
  }
  switch (item.type) {
    case "function_call":
      return assistant({ type: "call", id: item.call_id, name: item.name, args: item.arguments });
    case "custom_tool_call":
      return assistant({ type: "call", id: item.call_id, name: item.name, args: item.input });
    case "function_call_output":
    case "custom_tool_call_output": {
      const parts = partsOf(item.output, `input[${index}].output`);
      return { turn: { role: "user", parts: [{ type: "result", id: item.call_id, parts, failed: false }] } };
    }
    case "reasoning":
      return assistant({ type: "reasoning", text: item.summary.map((part) => part.text).join("") });
    default:
      return {};
  }
}

function remembered(body: Body, call: Call): Item[] {
  const id = body.previous_response_id;
  if (id == null) return [];
  const items = call.memory.get(id);
  if (!items)
    throw new Refusal("invalid", `Previous response with id '${id}' not found.`, {
      field: "previous_response_id",
      code: "previous_response_not_found",
    });
  return items as Item[];
}

/** The items of the whole conversation, those of a previous response first, references resolved. */
export function conversation(body: Body, call: Pick<Call, "memory">): Item[] {
  const earlier = remembered(body, call as Call);
  const current: Item[] =
    typeof body.input === "string" ? [{ role: "user", content: body.input }] : body.input;
  return [...earlier, ...current].map((item) => {
    if (item.type !== "item_reference") return item;
    const found = call.memory.get(String(item.id));
    if (found) return found as Item;
    throw new Refusal("missing", `Item with id '${String(item.id)}' not found.`, {
      field: "input",
      code: "not_found",
    });
  });
}

function toolsOf({ tools = [] }: Body): RequestContent["tools"] {
  return tools.flatMap((tool) => {
    if (tool.type !== "function" && tool.type !== "custom") return [];
    const { name, description } = tool as { name: string; description?: string };
    const given =
      tool.type === "function" ? (tool.parameters as RequestContent["tools"][number]["schema"]) : undefined;
    const properties = tool.type === "custom" ? { input: { type: "string" } } : {};
    return [{ name, description: description ?? undefined, schema: given ?? { type: "object", properties } }];
  });
}

function choiceOf({ tool_choice: choice = "auto" }: Body): RequestContent["choice"] {
  if (typeof choice === "string") return { mode: choice === "required" ? "any" : choice };
  if (choice.type === "allowed_tools" && "tools" in choice) {
    const names = (choice.tools as { name?: string }[]).flatMap(({ name }) => name ?? []);
    return { mode: choice.mode === "required" ? "any" : "auto", names };
  }
  return "name" in choice ? { mode: "any", names: [String(choice.name)] } : { mode: "auto" };
}

export function read(input: unknown, call: Call): { body: Body; content: RequestContent } {
  const parsed = schema.safeParse(input);
  if (!parsed.success) throw toRefusal(firstFinding(parsed.error, input));
  const body = parsed.data;
  checkRules(rules, body, call);
  const items = conversation(body, call);
  checkRules(itemRules, items, call);
  const all = items.map(listed);
  const format = body.text?.format;
  const effort = body.reasoning?.effort;
  return {
    body,
    content: {
      system: [
        ...(body.instructions ? [{ type: "text" as const, text: body.instructions }] : []),
        ...all.flatMap(({ system = [] }) => system),
      ],
      turns: all.flatMap(({ turn }) => turn ?? []),
      tools: toolsOf(body),
      choice: choiceOf(body),
      parallel: body.parallel_tool_calls ?? true,
      format:
        !format || format.type === "text"
          ? { type: "text" }
          : { type: "json", schema: format.type === "json_schema" ? format.schema : undefined },
      reasoning: effort != null && effort !== "none",
      ...(body.max_output_tokens == null ? {} : { limit: body.max_output_tokens }),
      stop: [],
      alternatives: 1,
    },
  };
}
