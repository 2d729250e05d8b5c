import { decodeBase64, sniff } from "../../check/media.ts";
import type { Rule } from "../../check/rule.ts";
import { unseal } from "../../content/digest.ts";
import type { Call } from "../protocol.ts";
import type { Block, Body, Message } from "./schema.ts";

function* everyBlock({ messages }: Body): Generator<[path: string, block: Block, message: Message]> {
  for (const [at, message] of messages.entries())
    for (const [index, block] of message.content.entries())
      yield [`messages.${at}.content.${index}`, block, message];
}

const uses = (message: Message | undefined): string[] =>
  (message?.role === "assistant" ? message.content : []).flatMap(({ toolUse }) =>
    toolUse && toolUse.type === undefined ? [toolUse.toolUseId] : [],
  );
const results = (message: Message | undefined): string[] =>
  (message?.role === "user" ? message.content : []).flatMap(({ toolResult }) =>
    toolResult ? [toolResult.toolUseId] : [],
  );

function wrongUnion(body: Body): string | undefined {
  for (const [path, block] of everyBlock(body)) {
    const kinds = Object.keys(block);
    if (kinds.length !== 1) return `The union ${path} must have exactly one member set, not ${kinds.length}.`;
  }
  return undefined;
}

function unpaired({ messages }: Body): string | undefined {
  for (const [at, message] of messages.entries()) {
    const called = uses(message);
    const next = results(messages[at + 1]);
    const open = called.filter((id) => !next.includes(id));
    if (open.length > 0)
      return `Expected toolResult blocks at messages.${at + 1}.content for the following Ids: ${open.join(", ")}`;
    const before = uses(messages[at - 1]);
    const answered = results(message);
    if (answered.length > before.length || answered.some((id) => !before.includes(id)))
      return `The number of toolResult blocks at messages.${at}.content exceeds the number of toolUse blocks of previous turn.`;
  }
  return undefined;
}

function wrongSeal(body: Body): string | undefined {
  for (const [path, { reasoningContent }] of everyBlock(body)) {
    const { reasoningText, redactedContent } = reasoningContent ?? {};
    const isForeign =
      reasoningText?.signature !== undefined &&
      unseal("conversestyle", reasoningText.signature) === undefined;
    if (isForeign || (redactedContent !== undefined && !isSealed(redactedContent)))
      return `The model returned the following errors: ${path}: Invalid signature in thinking block`;
  }
  return undefined;
}

const isSealed = (base64: string): boolean =>
  unseal("conversestyle-redacted", Buffer.from(base64, "base64").toString()) !== undefined;

function wrongImage(body: Body): string | undefined {
  for (const [path, { image }] of everyBlock(body)) {
    if (!image || !("bytes" in image.source)) continue;
    const decoded = decodeBase64(image.source.bytes);
    if (!decoded) return `${path}: the bytes of the image are not base64`;
    const shown = sniff(decoded);
    if (shown && shown !== `image/${image.format}`)
      return `The model returned the following errors: ${path}: The image was specified using the image/${image.format} media type, but the image appears to be a ${shown} image`;
  }
  return undefined;
}

function wrongDocuments({ messages }: Body): string | undefined {
  const names = messages.flatMap(({ content }) =>
    content.flatMap(({ document }) => (document ? [document.name] : [])),
  );
  if (new Set(names).size < names.length)
    return "Messages can not contain documents with the same names. Rename the documents so they are unique.";
  for (const { content, role } of messages) {
    const isAlone = content.some(({ document }) => document) && !content.some(({ text }) => text);
    if (role === "user" && isAlone) return "The message has a document, and needs a text beside it.";
  }
  return undefined;
}

export const rules: Rule<Body, Call>[] = [
  { broken: wrongUnion, message: "" },
  {
    broken: ({ messages }) => messages[0]?.role !== "user",
    message:
      "A conversation must start with a user message. Try again with a conversation that starts with a user message.",
  },
  {
    broken: ({ messages }) => messages.some(({ role }, at) => role === messages[at - 1]?.role),
    message:
      "A conversation must alternate between user and assistant roles. Make sure the conversation alternates between user and assistant roles and try again.",
  },
  {
    broken: ({ messages }) => {
      const at = messages.findIndex(({ content }) => content.length === 0);
      return (
        at >= 0 &&
        `The content field in the Message object at messages.${at} is empty. Add a ContentBlock object to the content field and try again.`
      );
    },
    message: "",
  },
  {
    broken: (body) => {
      const found = [...everyBlock(body)].find(([, { text }]) => text?.trim() === "");
      return (
        found &&
        `The text field in the ContentBlock object at ${found[0]} is blank. Add text to the text field, and try again.`
      );
    },
    message: "",
  },
  { broken: unpaired, message: "" },
  {
    broken: (body) =>
      body.toolConfig === undefined &&
      body.messages.some((message) => uses(message).length + results(message).length > 0),
    message: "The toolConfig field must be defined when using toolUse and toolResult content blocks.",
  },
  {
    broken: ({ toolConfig }) => {
      const { tools = [], toolChoice } = toolConfig ?? {};
      const names = tools.flatMap(({ toolSpec }) => (toolSpec ? [toolSpec.name] : []));
      if (new Set(names).size < names.length) return "The tool names in toolConfig are not unique.";
      const chosen = toolChoice && "tool" in toolChoice ? toolChoice.tool.name : undefined;
      return (
        chosen !== undefined && !names.includes(chosen) && `The tool ${chosen} is not in toolConfig.tools.`
      );
    },
    message: "",
  },
  {
    broken: ({ toolConfig }) => {
      const at = (toolConfig?.tools ?? []).findIndex(
        ({ toolSpec }) => toolSpec && toolSpec.inputSchema.json.type !== "object",
      );
      return (
        at >= 0 &&
        `The value at toolConfig.tools.${at}.toolSpec.inputSchema.json.type must be one of the following: object.`
      );
    },
    message: "",
  },
  { broken: wrongSeal, message: "" },
  { broken: wrongImage, message: "" },
  { broken: wrongDocuments, message: "" },
  {
    broken: (body) => {
      const lists = [
        body.system ?? [],
        body.toolConfig?.tools ?? [],
        ...body.messages.map(({ content }) => content),
      ];
      const count = lists.flat().filter(({ cachePoint }) => cachePoint).length;
      return (
        count > 4 &&
        `The model returned the following errors: A maximum of 4 blocks with cache_control may be provided. Found ${count}.`
      );
    },
    message: "",
  },
];
