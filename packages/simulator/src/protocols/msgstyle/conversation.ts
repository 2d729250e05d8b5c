import type { Rule } from "../../check/rule.ts";
import { digest, unseal } from "../../content/digest.ts";
import { isVariant } from "../../variants.ts";
import type { Call } from "../protocol.ts";
import type { Block, Body, Message } from "./schema.ts";

/** The messages as the server sees them: blocks instead of strings, neighbours of one role combined. */
function combined({ messages }: Body): Message[] {
  const merged: Message[] = [];
  for (const [at, { role, content }] of messages.entries()) {
    const blocks: Block[] =
      typeof content === "string" ? (content === "" ? [] : [{ type: "text", text: content }]) : content;
    const last = merged.at(-1);
    if (last?.role === role && role !== "system") last.content = [...last.content, ...blocks];
    else merged.push({ role, content: blocks, at });
  }
  return merged;
}

/** The conversation without its mid-way system messages. */
const withoutMidSystem = (body: Body): Message[] => {
  const kept = body.messages.filter(({ role }) => role !== "system");
  return combined({ ...body, messages: kept });
};

const uses = (message: Message | undefined): string[] =>
  message?.role === "assistant"
    ? message.content.flatMap((block) => (block.type === "tool_use" ? [String(block.id)] : []))
    : [];

const results = (message: Message | undefined): string[] =>
  message?.role === "user"
    ? message.content.flatMap((block) => (block.type === "tool_result" ? [String(block.tool_use_id)] : []))
    : [];

function unpaired(body: Body): string | undefined {
  const messages = combined(body);
  for (const [index, message] of messages.entries()) {
    const ids = uses(message);
    if (new Set(ids).size < ids.length) return `messages.${index}: \`tool_use\` ids must be unique`;
    const next = messages[index + 1];
    const plain = next?.content.findIndex((block) => block.type !== "tool_result") ?? 0;
    const first = next?.content.slice(0, plain < 0 ? undefined : plain) ?? [];
    const directly = first.flatMap((block) =>
      block.type === "tool_result" ? [String(block.tool_use_id)] : [],
    );
    const open = ids.filter((id) => !directly.includes(id));
    if (open.length > 0)
      return `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.join(", ")}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`;
    const answered = results(message);
    const before = uses(messages[index - 1]);
    const orphan = answered.find((id) => !before.includes(id));
    if (orphan !== undefined)
      return `messages.${index}.content.0: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${orphan}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`;
    const twice = answered.find((id, position) => answered.indexOf(id) !== position);
    if (twice !== undefined)
      return `messages.${index}.content: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${twice}`;
  }
  return undefined;
}

function wrongSeal(body: Body): string | undefined {
  for (const { content, at } of combined(body))
    for (const [index, block] of content.entries()) {
      const where = `messages.${at}.content.${index}`;
      if (
        block.type === "thinking" &&
        unseal("msgstyle", String(block.signature)) !== digest(String(block.thinking))
      )
        return `${where}: Invalid \`signature\` in \`thinking\` block`;
      if (block.type === "redacted_thinking" && unseal("msgstyle-redacted", String(block.data)) === undefined)
        return `${where}: Invalid \`data\` in \`redacted_thinking\` block`;
    }
  return undefined;
}

/** With manual thinking, every assistant turn of the running tool loop begins with what it thought. */
function missingThinking(body: Body): string | undefined {
  if (body.thinking?.type !== "enabled") return undefined;
  const messages = withoutMidSystem(body);
  const begun = messages.findLastIndex((message) => message.role === "user" && results(message).length === 0);
  for (const message of messages.slice(begun + 1)) {
    const type = message.content[0]?.type;
    if (uses(message).length === 0 || type === "thinking" || type === "redacted_thinking") continue;
    return `messages.${message.at}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${type}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block (preceeding the lastmost set of \`tool_use\` and \`tool_result\` blocks). To avoid this requirement, disable \`thinking\`.`;
  }
  return undefined;
}

function prefill(body: Body): Message | undefined {
  const last = withoutMidSystem(body).at(-1);
  return last?.role === "assistant" ? last : undefined;
}

export const conversationRules: Rule<Body, Call>[] = [
  {
    broken: ({ messages }) => messages[0]?.role !== "user",
    message: 'messages: first message must use the "user" role',
  },
  {
    broken: ({ model, messages }) => {
      const at = messages.findIndex(({ role }) => role === "system");
      return (
        isVariant(model, "-old") && at >= 0 && `messages.${at}.role: Input should be 'user' or 'assistant'`
      );
    },
    message: "",
  },
  {
    broken: ({ messages }) => {
      const at = messages.findIndex(
        ({ content }, index) => content.length === 0 && index < messages.length - 1,
      );
      const last = messages.at(-1);
      const empty =
        at >= 0 ? at : last?.role !== "assistant" && last?.content.length === 0 ? messages.length - 1 : -1;
      return (
        empty >= 0 &&
        `messages.${empty}: all messages must have non-empty content except for the optional final assistant message`
      );
    },
    message: "",
  },
  { broken: unpaired, message: "" },
  { broken: wrongSeal, message: "" },
  { broken: missingThinking, message: "" },
  {
    broken: (body) =>
      withoutMidSystem(body).some((m) => uses(m).length + results(m).length > 0) && body.tools === undefined,
    message:
      "Requests which have `tool_use` or `tool_result` blocks in the message history must define tools.",
  },
  {
    broken: (body) => prefill(body) !== undefined && isVariant(body.model, "-new"),
    message:
      "This model does not support assistant message prefill. The conversation must end with a user message.",
  },
  {
    broken: (body) => prefill(body) !== undefined && body.thinking?.type === "enabled",
    message: "messages: prefill is not supported when `thinking` is enabled",
  },
  {
    broken: (body) => {
      const last = prefill(body)?.content.at(-1);
      return last?.type === "text" && /\s$/.test(String(last.text));
    },
    message: "messages: final assistant content cannot end with trailing whitespace",
  },
];
