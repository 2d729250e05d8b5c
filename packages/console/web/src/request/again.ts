import type { Draft } from "../play/draft.ts";
import type { SurfaceName } from "../play/surfaces.ts";
import type { Detail } from "./detail.ts";

type StoredRequest = Pick<Detail, "surface" | "model" | "request">;

/** The surface whose body a kept request is; undefined where its form does not say. */
export function surfaceOfKept({ surface, request = {} }: StoredRequest): SurfaceName | undefined {
  if (surface === "chatstyle" && "messages" in request) return "chat";
  if (surface === "msgstyle") return "messages";
  if (surface === "genstyle" && "contents" in request) return "generate";
  if (surface === "native" && "messages" in request) return "native";
  return undefined;
}

const PATHS: { [name in SurfaceName]?: (model: string) => string } = {
  chat: () => "/api/chatstyle/v1/chat/completions",
  messages: () => "/api/msgstyle/v1/messages",
  generate: (model) => `/api/genstyle/v1beta/models/${encodeURIComponent(model)}:generateContent`,
  native: () => "/api/v1/text/completions",
};

/** A request as a command; its body stands in single quotes, which end where it has one. */
export function curlOf(one: StoredRequest, origin: string): string | undefined {
  const surface = surfaceOfKept(one);
  const path = surface && PATHS[surface]?.(one.model);
  if (path === undefined || !one.request) return undefined;
  const body = JSON.stringify(one.request).replaceAll("'", `'\\''`);
  return `curl ${origin}${path} \\\n  -H "x-api-key: $API_KEY" -H 'content-type: application/json' \\\n  -d '${body}'`;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The texts of a message's content, in whichever form it is. */
function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  const parts = Array.isArray(content) ? content : isObject(content) ? [content] : [];
  return parts
    .filter(isObject)
    .flatMap(({ text, parts: inner }) => (typeof text === "string" ? [text] : inner ? [textOf(inner)] : []))
    .join("\n");
}

/** The playground's draft of a kept request: its last question, its system text, its limits. */
export function draftOf({ model, request = {} }: StoredRequest): Draft {
  const { messages, contents, system, systemInstruction, max_tokens, maxTokens, temperature } =
    request as Record<string, unknown>;
  const turns = ([messages, contents].find(Array.isArray) ?? []).filter(isObject);
  const textIn = ({ content, parts }: Record<string, unknown>): string => textOf(content ?? parts);
  const isSystem = ({ role }: Record<string, unknown>): boolean => role === "system" || role === "developer";
  const question = turns.findLast(({ role }) => role === undefined || role === "user");
  const texts = [system ?? systemInstruction].filter((one) => one !== undefined).map(textOf);
  return {
    model,
    system: [...texts, ...turns.filter(isSystem).map(textIn)].join("\n\n"),
    user: question ? textIn(question) : "",
    maxTokens: String(max_tokens ?? maxTokens ?? ""),
    temperature: String(temperature ?? ""),
  };
}
