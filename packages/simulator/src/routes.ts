import { situationOf } from "./brain/situation.ts";
import { embed } from "./protocols/chatstyle/embed.ts";
import { chatstyle } from "./protocols/chatstyle/index.ts";
import { batchEmbed as batchEmbedContents, embed as embedContent } from "./protocols/genstyle/embed.ts";
import { genstyle } from "./protocols/genstyle/index.ts";
import { readCount as countContents } from "./protocols/genstyle/read.ts";
import { msgstyle } from "./protocols/msgstyle/index.ts";
import { readCount as countMessages } from "./protocols/msgstyle/read.ts";
import type { Call, Plain, Protocol } from "./protocols/protocol.ts";
import { responses } from "./protocols/responses/index.ts";
import type { Reading } from "./reading.ts";
import { inputTokens } from "./tokens.ts";

export interface Route {
  method: "GET" | "POST";
  /** After the optional version prefix; a `model` group is the model's name. */
  path: RegExp;
  protocol: Protocol;
  operation: "generate" | "count" | "embed" | "list";
  /** Where the path, not the body, says whether the answer streams. */
  streams?: boolean;
  plain?(body: unknown, call: Call): Plain;
}

const counted =
  (read: (body: unknown, call: Call) => Reading, write: (tokens: number) => unknown): Route["plain"] =>
  (body, call) => {
    const reading = read(body, call);
    const tokens = inputTokens(reading);
    return { text: situationOf(reading).text, input: 0, write: () => write(tokens) };
  };

const model = "(?<model>.+)";
const contents = (verb: string): RegExp => new RegExp(`^/models/${model}:${verb}$`);

const ROUTES: Route[] = [
  { method: "POST", path: /^\/chat\/completions$/, protocol: chatstyle, operation: "generate" },
  { method: "POST", path: /^\/responses$/, protocol: responses, operation: "generate" },
  { method: "POST", path: /^\/messages$/, protocol: msgstyle, operation: "generate" },
  {
    method: "POST",
    path: contents("generateContent"),
    protocol: genstyle,
    operation: "generate",
    streams: false,
  },
  {
    method: "POST",
    path: contents("streamGenerateContent"),
    protocol: genstyle,
    operation: "generate",
    streams: true,
  },
  {
    method: "POST",
    path: /^\/messages\/count_tokens$/,
    protocol: msgstyle,
    operation: "count",
    plain: counted(countMessages, (tokens) => ({ input_tokens: tokens })),
  },
  {
    method: "POST",
    path: contents("countTokens"),
    protocol: genstyle,
    operation: "count",
    plain: counted(countContents, (tokens) => ({ totalTokens: tokens })),
  },
  { method: "POST", path: /^\/embeddings$/, protocol: chatstyle, operation: "embed", plain: embed },
  {
    method: "POST",
    path: contents("embedContent"),
    protocol: genstyle,
    operation: "embed",
    plain: embedContent,
  },
  {
    method: "POST",
    path: contents("batchEmbedContents"),
    protocol: genstyle,
    operation: "embed",
    plain: batchEmbedContents,
  },
];

/** One path for three protocols: the key's place and the version prefix tell them apart. */
function lister(prefix: string, headers: Record<string, string>, query: URLSearchParams): Protocol {
  if (prefix === "v1beta" || headers["x-goog-api-key"] || query.has("key")) return genstyle;
  return headers["x-api-key"] || headers["anthropic-version"] || headers["msgstyle-version"]
    ? msgstyle
    : chatstyle;
}

/** Models may be named with escaped slashes; a path that is badly escaped is nobody's. */
function decoded(pathname: string): string {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return "";
  }
}

/** The route of a request and the model its path names. */
export function findRoute(
  method: string,
  url: URL,
  headers: Record<string, string>,
): { route: Route; model?: string } | undefined {
  const [, prefix = "", path = ""] = decoded(url.pathname).match(/^(?:\/(v1|v1beta))?(\/.*)$/) ?? [];
  if (method === "GET" && path === "/models") {
    const protocol = lister(prefix, headers, url.searchParams);
    return { route: { method, path: /models/, protocol, operation: "list" } };
  }
  for (const route of ROUTES) {
    const match = route.method === method ? path.match(route.path) : null;
    if (match) return { route, model: match.groups?.model };
  }
  return undefined;
}
