import type { Body } from "../../protocols/chatstyle/schema.ts";
import { type Family, wireRules } from "../family.ts";

const thinks = (extra: { [member: string]: unknown }): boolean =>
  (extra.thinking as { type?: unknown } | undefined)?.type !== "disabled";

/** As the vendor's pages on thinking mode, JSON output and function calls have it in November 2026. */
export const passedBackThoughts: readonly Family[] = [
  {
    name: "deepseek-v4",
    names: /deepseek/,
    wires: {
      chatstyle: wireRules<Body>({
        members: ["thinking"],
        thinks: (_, extra) => thinks(extra),
        rules: [
          {
            broken: ({ messages }) => {
              const at = messages.findIndex(({ role }) => role === "developer");
              return (
                at >= 0 &&
                `Failed to deserialize the JSON body into the target type: messages[${at}].role: unknown variant \`developer\`, expected one of \`system\`, \`user\`, \`assistant\`, \`tool\``
              );
            },
            message: "",
          },
          {
            broken: ({ messages }) => {
              const at = messages.findIndex(
                ({ role, content }) =>
                  role === "user" && Array.isArray(content) && content.some(({ type }) => type !== "text"),
              );
              return (
                at >= 0 &&
                `Failed to deserialize the JSON body into the target type: messages[${at}]: unknown variant \`image_url\`, expected \`text\``
              );
            },
            message: "",
          },
          {
            broken: ({ tools = [] }) => {
              const at = tools.findIndex(({ type }) => type === "custom");
              return (
                at >= 0 &&
                `Failed to deserialize the JSON body into the target type: tools[${at}].type: unknown variant \`custom\`, expected \`function\``
              );
            },
            message: "",
          },
          {
            broken: ({ response_format }) => response_format?.type === "json_schema",
            message: "This response_format type is unavailable now",
          },
          {
            broken: ({ tool_choice }, { extra }) =>
              thinks(extra) && tool_choice !== undefined && !["auto", "none"].includes(tool_choice as string),
            message: "Thinking mode does not support this tool_choice",
          },
          {
            broken: ({ messages }, { extra }) => {
              const turns = messages.filter((message) => message.role === "assistant");
              return (
                thinks(extra) &&
                turns.some(({ tool_calls }) => tool_calls) &&
                turns.some(({ reasoning_content }) => reasoning_content == null)
              );
            },
            message: "The `reasoning_content` in the thinking mode must be passed back to the API.",
          },
        ],
      }),
    },
  },
];
