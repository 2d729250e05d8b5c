import type { CacheMark, Message, Part, ResultPart, TextRequest } from "../ir/index.ts";
import type { Lose } from "../ir/loss.ts";
import { type TraceCopy, withParts } from "./origins.ts";

/** Removes the marks for a prompt cache, for a model that refuses them. */
export function withoutCacheMarks(request: TextRequest, lose: Lose, traceCopy: TraceCopy): TextRequest {
  function unmarked<Node extends object>(node: Node, path: string): Node {
    const { cache, ...rest } = node as Node & { cache?: CacheMark };
    if (cache === undefined) return node;
    lose(`${path}/cache`, "unsupported", "the model takes no marks");
    traceCopy(rest, node);
    return rest as unknown as Node;
  }
  const partOf = (part: Part, path: string): Part => {
    if (part.type !== "result") return unmarked(part, path);
    const parts = part.parts.map((inner, i) => unmarked(inner, `${path}/parts/${i}`)) as ResultPart["parts"];
    const changed = parts.some((inner, i) => inner !== part.parts[i]);
    const copy = changed ? { ...part, parts } : part;
    if (changed) traceCopy(copy, part);
    return unmarked(copy, path);
  };
  const messages = request.messages.map((message, i): Message => {
    const parts = (message.parts as Part[]).map((part, j) => partOf(part, `/messages/${i}/parts/${j}`));
    return withParts(message, parts, traceCopy);
  });
  const tools = request.tools?.map((tool, i) => unmarked(tool, `/tools/${i}`));
  return { ...request, messages, ...(tools && { tools }) };
}
