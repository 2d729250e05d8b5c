import * as z from "zod";

const object = z.record(z.string(), z.unknown());
const bytes = z.strictObject({ bytes: z.string().min(1) });
const stored = z.strictObject({
  s3Location: z.strictObject({ uri: z.string(), bucketOwner: z.string().optional() }),
});
const name = z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/);
const id = z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/);

const media = {
  image: z.strictObject({
    format: z.enum(["png", "jpeg", "gif", "webp"]),
    source: z.union([bytes, stored]),
  }),
  document: z.strictObject({
    format: z.enum(["pdf", "csv", "doc", "docx", "xls", "xlsx", "html", "txt", "md"]).optional(),
    // Single spaces, and of other signs only hyphens, parentheses and brackets.
    name: z
      .string()
      .min(1)
      .max(200)
      .regex(/^[A-Za-z0-9()[\]-]+( [A-Za-z0-9()[\]-]+)*$/),
    source: z.union([
      bytes,
      stored,
      z.strictObject({ text: z.string() }),
      z.strictObject({ content: z.array(z.strictObject({ text: z.string() })) }),
    ]),
    context: z.string().optional(),
    citations: z.strictObject({ enabled: z.boolean() }).optional(),
  }),
  video: z.strictObject({
    format: z.enum(["mkv", "mov", "mp4", "webm", "flv", "mpeg", "mpg", "wmv", "three_gp"]),
    source: z.union([bytes, stored]),
  }),
};

const cachePoint = z.strictObject({ type: z.literal("default"), ttl: z.enum(["5m", "1h"]).optional() });

const resultBlock = z.strictObject({
  json: z.unknown().optional(),
  text: z.string().optional(),
  image: media.image.optional(),
  document: media.document.optional(),
  video: media.video.optional(),
  searchResult: object.optional(),
});
export type ResultBlock = z.infer<typeof resultBlock>;

const block = z.strictObject({
  text: z.string().optional(),
  image: media.image.optional(),
  document: media.document.optional(),
  video: media.video.optional(),
  audio: object.optional(),
  toolUse: z
    .strictObject({ toolUseId: id, name, input: object, type: z.literal("server_tool_use").optional() })
    .optional(),
  toolResult: z
    .strictObject({
      toolUseId: id,
      content: z.array(resultBlock),
      status: z.enum(["success", "error"]).optional(),
      type: z.string().optional(),
    })
    .optional(),
  guardContent: object.optional(),
  cachePoint: cachePoint.optional(),
  reasoningContent: z
    .strictObject({
      reasoningText: z.strictObject({ text: z.string(), signature: z.string().optional() }).optional(),
      redactedContent: z.string().optional(),
    })
    .optional(),
  citationsContent: object.optional(),
  searchResult: object.optional(),
});
export type Block = z.infer<typeof block>;

const message = z.strictObject({ role: z.enum(["user", "assistant"]), content: z.array(block) });
export type Message = z.infer<typeof message>;

const tool = z.strictObject({
  toolSpec: z
    .strictObject({
      name,
      description: z.string().min(1).optional(),
      inputSchema: z.strictObject({ json: object }),
      strict: z.boolean().optional(),
    })
    .optional(),
  systemTool: z.strictObject({ name }).optional(),
  cachePoint: cachePoint.optional(),
});

export const schema = z.strictObject({
  messages: z.array(message).min(1),
  system: z
    .array(
      z.strictObject({
        text: z.string().min(1).optional(),
        guardContent: object.optional(),
        cachePoint: cachePoint.optional(),
      }),
    )
    .optional(),
  inferenceConfig: z
    .strictObject({
      maxTokens: z.int().min(1).optional(),
      temperature: z.number().min(0).max(1).optional(),
      topP: z.number().min(0).max(1).optional(),
      stopSequences: z.array(z.string().min(1)).max(2500).optional(),
    })
    .optional(),
  toolConfig: z
    .strictObject({
      tools: z.array(tool).min(1),
      toolChoice: z
        .union([
          z.strictObject({ auto: z.strictObject({}) }),
          z.strictObject({ any: z.strictObject({}) }),
          z.strictObject({ tool: z.strictObject({ name }) }),
        ])
        .optional(),
    })
    .optional(),
  guardrailConfig: object.optional(),
  additionalModelRequestFields: z.looseObject({ thinking: object.optional() }).optional(),
  promptVariables: object.optional(),
  additionalModelResponseFieldPaths: z.array(z.string()).optional(),
  requestMetadata: z.record(z.string(), z.string()).optional(),
  performanceConfig: z.strictObject({ latency: z.enum(["standard", "optimized"]).optional() }).optional(),
  serviceTier: z.strictObject({ type: z.enum(["priority", "default", "flex", "reserved"]) }).optional(),
  outputConfig: z
    .strictObject({
      textFormat: z.strictObject({
        type: z.literal("json_schema"),
        structure: z.strictObject({
          jsonSchema: z.strictObject({
            schema: z.string(),
            name: z.string().optional(),
            description: z.string().optional(),
          }),
        }),
      }),
    })
    .optional(),
});
export type Body = z.infer<typeof schema>;
