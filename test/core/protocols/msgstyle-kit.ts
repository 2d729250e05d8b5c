import type { TextRequest } from "@manifold-gateway/core";
import type { JsonObject, Traits } from "@manifold-gateway/core/codec";
import { expect } from "vitest";
import { collectLosses } from "../../../packages/core/src/ir/loss.ts";
import { msgstyle } from "../../../packages/core/src/protocols/msgstyle/index.ts";

type Parts = TextRequest["messages"][number]["parts"];

/** The pieces that the tests of this wire are put together from. */
export const text = (value: string) => ({ type: "text" as const, text: value });
export const user = (...parts: Parts) => ({ role: "user", parts }) as TextRequest["messages"][number];
export const model = (...parts: Parts) => ({ role: "assistant", parts }) as TextRequest["messages"][number];
export const system = (value: string) => ({ role: "system" as const, parts: [text(value)] });
export const call = (id: string, args = "{}", name = "f") => ({
  type: "call" as const,
  id,
  name,
  arguments: args,
});
export const result = (id: string, value = "ok") => ({ type: "result" as const, id, parts: [text(value)] });
export const hi = user(text("hi"));
export const limit = { params: { maxTokens: 4000 } };

/** A request, what becomes of it, and the paths of what is lost on the way. */
export interface Case {
  ir: TextRequest;
  traits?: Traits;
  wire: JsonObject;
  /** Members that must not be there. */
  absent?: string[];
  lost?: string[];
}

export function encode(ir: TextRequest, traits: Traits = {}): { wire: JsonObject; losses: string[] } {
  const { losses, lose } = collectLosses();
  const wire = msgstyle.request.encode(ir, lose, traits) as JsonObject;
  return { wire, losses: losses.map((loss) => loss.path).sort() };
}

/** Holds an encoded request against what is expected of it. */
export function hold({ ir, traits, wire: expected, absent = [], lost = [] }: Case): void {
  const { wire, losses } = encode(ir, traits);
  expect(wire).toMatchObject(expected);
  for (const name of absent) expect(wire).not.toHaveProperty(name);
  if ("messages" in expected) expect(wire.messages).toEqual(expected.messages);
  if ("tools" in expected) expect(wire.tools).toEqual(expected.tools);
  expect([...new Set(losses)]).toEqual(lost);
  expect(msgstyle.request.schema.safeParse(wire).success).toBe(true);
}
