import type { TextRequest } from "@manifold-gateway/core";

/** Names of parameters in words: `maxTokens` is "max tokens". */
const worded = (name: string): string =>
  name
    .replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace(/^./, (first) => first.toUpperCase());

const shown = (value: unknown): string => (typeof value === "object" ? JSON.stringify(value) : String(value));

/** What a request sets beside its messages: parameters, tools, the format of the answer. */
export function settingsOf({ params, tools = [], toolChoice, reasoning, format }: TextRequest) {
  const names = tools.map((tool) => (tool.type === "function" ? tool.name : `${tool.protocol} tool`));
  const facts: [string, string][] = Object.entries(params).map(([name, value]) => [
    worded(name),
    shown(value),
  ]);
  if (names.length > 0) facts.push(["Tools", names.join(", ")]);
  if (toolChoice) facts.push(["Tool choice", shown(toolChoice)]);
  if (reasoning) facts.push(["Reasoning", shown(reasoning)]);
  if (format && format.type !== "text")
    facts.push(["Format", format.type === "schema" ? "JSON of a schema" : "JSON"]);
  return facts;
}
