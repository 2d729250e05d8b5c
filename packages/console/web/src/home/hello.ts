import { AS_PLAYGROUND, refusalOf } from "../api/client.ts";
import { reach, toIncoming } from "../api/reach.ts";
import { FIRST_QUESTIONS } from "../codecs/first-question.ts";
import { WIRES } from "../codecs/wires.ts";

/** What one protocol answered to a first question, or why it did not. */
export type Hello = { protocol: string } & (Answer | { fault: unknown });

interface Answer {
  /** Empty if the model answered by something else than text. */
  text: string;
  ms: number;
  /** The request in the records. */
  id: string;
}

type Wire = keyof typeof FIRST_QUESTIONS;

/** The paths to the text in the answers; the last list has parts, of which the first with a text counts. */
const TEXTS: Record<Wire, readonly (string | number)[]> = {
  chat: ["choices", 0, "message", "content"],
  messages: ["content"],
  generate: ["candidates", 0, "content", "parts"],
};

const at = (value: unknown, path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>(
    (inner, name) => (typeof inner === "object" && inner !== null ? Reflect.get(inner, name) : undefined),
    value,
  );

function textOf(answer: unknown, name: Wire): string {
  const text = at(answer, TEXTS[name]);
  if (!Array.isArray(text)) return String(text ?? "");
  const part: unknown = text.find((one) => typeof at(one, ["text"]) === "string");
  return String(at(part, ["text"]) ?? "");
}

async function ask(name: Wire, model: string): Promise<Answer> {
  const path = WIRES[name].path(model);
  const began = performance.now();
  const response = await reach(path, {
    method: "POST",
    credentials: "same-origin",
    headers: AS_PLAYGROUND,
    body: JSON.stringify(FIRST_QUESTIONS[name](model)),
  });
  if (!response.ok) throw await refusalOf(response, path);
  const text = textOf(await toIncoming(response).json(), name);
  return { text, ms: performance.now() - began, id: response.headers.get("x-generation-id") ?? "" };
}

/** Asks a model the same question in three protocols at one time. One that fails takes no answer from the others. */
export function sayHello(model: string): Promise<Hello[]> {
  const names = Object.keys(FIRST_QUESTIONS) as Wire[];
  return Promise.all(
    names.map(async (name): Promise<Hello> => {
      const { title: protocol } = WIRES[name];
      return ask(name, model).then(
        (answer) => ({ protocol, ...answer }),
        (fault: unknown) => ({ protocol, fault }),
      );
    }),
  );
}
