import type { Billed, BillingFacts } from "../../codec/billing-facts.ts";
import { paramFields } from "../../codec/params.ts";
import { isObject, type Json, type JsonObject, textOf, toArray, toObject } from "../../json/json.ts";
import { params } from "./params.ts";

/** The bill of responses. Hosted tools are counted by the items that they leave in the output. */
export const billing: BillingFacts = {
  members: [
    ...paramFields(params),
    "background",
    "context_management",
    "conversation",
    "input",
    "instructions",
    "max_tokens",
    "max_tool_calls",
    "model",
    "models",
    "parallel_tool_calls",
    "plugins",
    "preset",
    "previous_response_id",
    "prompt",
    "prompt_cache_retention",
    "provider",
    "reasoning",
    "route",
    "stream",
    "stream_options",
    "tool_choice",
    "tools",
    "truncation",
  ],
  limits: [["max_output_tokens"], ["max_tokens"], ["max_completion_tokens"]],
  alternatives: [],
  modes: { service_tier: ["auto", "default", "standard"], speed: ["standard"] },
  detached: ["background"],
  tools: [
    // Run by the client, or paid by the tokens that they add.
    [/^(function|custom|namespace|local_shell|apply_patch|computer.*|tool_search|mcp)$/, "free"],
    [/^web_search/, ["webSearches"]],
    [/^file_search$/, ["fileSearches"]],
    [/^(code_interpreter|shell)$/, ["codeSessions"]],
  ],
  callLimits: { top: "max_tool_calls" },
  ids: [
    { path: ["previous_response_id"] },
    { path: ["conversation"] },
    { path: ["conversation", "id"] },
    { path: ["prompt", "id"] },
    { path: ["input", "*"], type: "item_reference" },
    { path: ["input", "*", "content", "*", "file_id"] },
    { path: ["input", "*", "output", "*", "file_id"] },
    { path: ["tools", "*", "vector_store_ids", "*"] },
    { path: ["tools", "*", "container"] },
    { path: ["tools", "*", "container", "file_ids", "*"] },
    { path: ["tools", "*", "environment", "container_id"] },
  ],
  billed(chunk) {
    const response = isObject(chunk.response) ? chunk.response : chunk;
    const model = textOf(response.model);
    const tier = textOf(response.service_tier);
    const output = toArray(response.output).map(toObject);
    return {
      ...(model !== undefined && { model }),
      ...(tier !== undefined && { modes: { service_tier: tier } }),
      ...(output.length > 0 && { calls: callsIn(output) }),
      ids: idsIn(response, output),
    };
  },
};

function callsIn(output: readonly JsonObject[]): Billed["calls"] {
  const count = (is: (item: JsonObject) => boolean): number => output.filter(is).length;
  const containers = output.flatMap(({ type, container_id, id }) =>
    type === "code_interpreter_call" || type === "shell_call" ? [container_id ?? id ?? null] : [],
  );
  return {
    // Pages that are opened and searched belong to the search that found them.
    webSearches: count(({ type, action }) => {
      const kind = toObject(action).type;
      return type === "web_search_call" && (kind === undefined || kind === "search");
    }),
    fileSearches: count(({ type }) => type === "file_search_call"),
    codeSessions: new Set(containers).size,
  };
}

function idsIn(response: JsonObject, output: readonly JsonObject[]): string[] {
  const named: (Json | undefined)[] = [
    response.store === false ? undefined : response.id,
    toObject(response.conversation).id,
    ...output.flatMap(({ id, container_id, content }) => [
      response.store === false ? undefined : id,
      container_id,
      ...toArray(content).flatMap((part) =>
        toArray(toObject(part).annotations).flatMap((note) => {
          const { container_id: container, file_id } = toObject(note);
          return [container, file_id];
        }),
      ),
    ]),
  ];
  return named.filter((id): id is string => typeof id === "string" && id !== "");
}
