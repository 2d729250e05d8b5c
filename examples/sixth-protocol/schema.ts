import type { Protocol } from "@manifold-gateway/core";
import type { JsonObject } from "@manifold-gateway/core/codec";
import { z } from "zod";

/** The type has the library's own names; a program's own is registered at run time. */
export const protocol = "blockstyle" as string as Protocol;

const text = z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]);

const message = z.discriminatedUnion("role", [
  z.looseObject({ role: z.literal("system"), content: text }),
  z.looseObject({ role: z.literal("user"), content: text }),
  z.looseObject({
    role: z.literal("assistant"),
    content: text.nullish(),
    tool_calls: z
      .array(
        z.looseObject({
          id: z.string(),
          type: z.literal("function"),
          function: z.looseObject({ name: z.string(), arguments: z.string() }),
        }),
      )
      .nullish(),
  }),
  z.looseObject({ role: z.literal("tool"), tool_call_id: z.string(), content: text }),
]);

/**
 * A request: turns of blocks, functions, and scalars at the top. Unknown members pass. A codec can check its requests by
 * a library, as here, or by the schemas of `@manifold-gateway/core/schema`, which make those of the scalars.
 */
export const schema = z.looseObject({
  model: z.string().min(1),
  stream: z.boolean().nullish(),
  messages: z.array(message).min(1),
  tools: z
    .array(
      z.looseObject({
        type: z.literal("function"),
        function: z.looseObject({
          name: z.string(),
          description: z.string().nullish(),
          parameters: z.record(z.string(), z.unknown()).nullish(),
        }),
      }),
    )
    .nullish(),
  tool_choice: z.enum(["REQUIRED", "NONE"]).nullish(),
  response_format: z.looseObject({ type: z.enum(["text", "json_object"]) }).nullish(),
  max_tokens: z.number().nullish(),
  temperature: z.number().nullish(),
  p: z.number().nullish(),
  k: z.number().nullish(),
  seed: z.number().nullish(),
  frequency_penalty: z.number().nullish(),
  presence_penalty: z.number().nullish(),
  stop_sequences: z.array(z.string()).nullish(),
});
export type Wire = z.infer<typeof schema>;

/** `message-start`, then `content-…` and `tool-call-…` with an index each, then `message-end`. */
export type Chunk = JsonObject;
/** `{ id, finish_reason, message: { role, content, tool_calls }, usage }` */
export type Body = JsonObject;
