import { AS_PLAYGROUND, refusalOf } from "../api/client.ts";
import { WIRES, type WireName } from "../codecs/wires.ts";

/** What one protocol answered to a first question. */
export interface Hello {
  protocol: string;
  text: string;
  ms: number;
  /** The request in the records. */
  id: string;
}

const QUESTION = "Say hello in one short sentence.";

interface Ask {
  body: (model: string) => object;
  /** The path to the text in the answer. */
  text: readonly (string | number)[];
}

const ASKS: { [name in WireName]?: Ask } = {
  chat: {
    body: (model) => ({ model, messages: [{ role: "user", content: QUESTION }] }),
    text: ["choices", 0, "message", "content"],
  },
  messages: {
    body: (model) => ({ model, max_tokens: 100, messages: [{ role: "user", content: QUESTION }] }),
    text: ["content", 0, "text"],
  },
  generate: {
    body: () => ({ contents: [{ role: "user", parts: [{ text: QUESTION }] }] }),
    text: ["candidates", 0, "content", "parts", 0, "text"],
  },
};

const at = (value: unknown, path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>(
    (inner, name) => (typeof inner === "object" && inner !== null ? Reflect.get(inner, name) : undefined),
    value,
  );

/** Asks a model the same question in three protocols at one time. */
export function sayHello(model: string): Promise<Hello[]> {
  return Promise.all(
    Object.entries(ASKS).map(async ([name, { body, text }]): Promise<Hello> => {
      const { title, path } = WIRES[name as WireName];
      const began = performance.now();
      const response = await fetch(path(model), {
        method: "POST",
        credentials: "same-origin",
        headers: AS_PLAYGROUND,
        body: JSON.stringify(body(model)),
      });
      if (!response.ok) throw await refusalOf(response, path(model));
      const answer: unknown = await response.json();
      return {
        protocol: title,
        text: String(at(answer, text) ?? ""),
        ms: performance.now() - began,
        id: response.headers.get("x-generation-id") ?? "",
      };
    }),
  );
}
