import * as z from "zod";

const camel = (key: string): string =>
  key.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/**
 * A proto message as JSON: names in snake or camel case, and no others. Only the message's own names are
 * re-cased; maps of the user's making stay as they are.
 */
function message<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.preprocess((value: unknown) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, held]) => [camel(key) in shape ? camel(key) : key, held]),
    );
  }, z.strictObject(shape));
}

const map = z.record(z.string(), z.unknown());
const upper = (value: unknown): unknown => (typeof value === "string" ? value.toUpperCase() : value);
const int = z.preprocess(
  (value) => (typeof value === "string" && /^-?\d+$/.test(value) ? Number(value) : value),
  z.number().refine(Number.isInteger, "must be an integer"),
);
const functionName = z.string().regex(/^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$/);

const blob = message({ mimeType: z.string(), data: z.string(), displayName: z.string().optional() });
const fileData = message({
  fileUri: z.string(),
  mimeType: z.string().optional(),
  displayName: z.string().optional(),
});

const part = message({
  text: z.string().optional(),
  inlineData: blob.optional(),
  fileData: fileData.optional(),
  functionCall: message({ id: z.string().optional(), name: functionName, args: map.optional() }).optional(),
  functionResponse: message({
    id: z.string().optional(),
    name: z.string(),
    response: map,
    parts: z.array(message({ inlineData: blob.optional(), fileData: fileData.optional() })).optional(),
    willContinue: z.boolean().optional(),
    scheduling: z.string().optional(),
  }).optional(),
  executableCode: map.optional(),
  codeExecutionResult: map.optional(),
  toolCall: map.optional(),
  toolResponse: map.optional(),
  thought: z.boolean().optional(),
  thoughtSignature: z
    .string()
    .regex(/^[A-Za-z0-9+/_-]*={0,2}$/)
    .optional(),
  videoMetadata: map.optional(),
  mediaResolution: map.optional(),
  partMetadata: map.optional(),
});

const content = message({ role: z.string().optional(), parts: z.array(part).optional() });

type ProtoSchema = { [key: string]: unknown };
const protoSchema: z.ZodType<ProtoSchema> = z.lazy(() =>
  message({
    type: z
      .preprocess(
        upper,
        z.enum(["TYPE_UNSPECIFIED", "STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT", "NULL"]),
      )
      .optional(),
    format: z.string().optional(),
    title: z.string().optional(),
    description: z.string().optional(),
    nullable: z.boolean().optional(),
    enum: z.array(z.string()).optional(),
    items: protoSchema.optional(),
    minItems: int.optional(),
    maxItems: int.optional(),
    properties: z.record(z.string(), protoSchema).optional(),
    required: z.array(z.string()).optional(),
    minProperties: int.optional(),
    maxProperties: int.optional(),
    minLength: int.optional(),
    maxLength: int.optional(),
    pattern: z.string().optional(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    anyOf: z.array(protoSchema).optional(),
    default: z.unknown().optional(),
    example: z.unknown().optional(),
    propertyOrdering: z.array(z.string()).optional(),
  }),
);

const declaration = message({
  name: functionName,
  description: z.string().optional(),
  parameters: protoSchema.optional(),
  parametersJsonSchema: map.optional(),
  response: protoSchema.optional(),
  responseJsonSchema: map.optional(),
  behavior: z.string().optional(),
});

const tool = message({
  functionDeclarations: z.array(declaration).max(512).optional(),
  googleSearch: map.optional(),
  googleSearchRetrieval: map.optional(),
  googleMaps: map.optional(),
  codeExecution: map.optional(),
  computerUse: map.optional(),
  urlContext: map.optional(),
  fileSearch: map.optional(),
  mcpServers: z.array(map).optional(),
});

const generationConfig = message({
  candidateCount: z.int().min(1).max(8).optional(),
  stopSequences: z.array(z.string()).max(5).optional(),
  maxOutputTokens: z.int().min(1).optional(),
  temperature: z.number().min(0).max(2).optional(),
  topP: z.number().min(0).max(1).optional(),
  topK: z.number().min(0).optional(),
  seed: z
    .int()
    .min(-(2 ** 31))
    .max(2 ** 31 - 1)
    .optional(),
  presencePenalty: z.number().min(-2).lt(2).optional(),
  frequencyPenalty: z.number().min(-2).lt(2).optional(),
  responseMimeType: z.enum(["text/plain", "application/json", "text/x.enum"]).optional(),
  responseSchema: protoSchema.optional(),
  responseJsonSchema: map.optional(),
  responseLogprobs: z.boolean().optional(),
  logprobs: z.int().min(0).max(20).optional(),
  responseModalities: z.array(z.string()).optional(),
  mediaResolution: z.string().optional(),
  speechConfig: map.optional(),
  imageConfig: map.optional(),
  audioTimestamp: z.boolean().optional(),
  enableEnhancedCivicAnswers: z.boolean().optional(),
  thinkingConfig: message({
    includeThoughts: z.boolean().optional(),
    thinkingBudget: z.int().min(-1).max(65_536).optional(),
    thinkingLevel: z
      .preprocess(upper, z.enum(["THINKING_LEVEL_UNSPECIFIED", "MINIMAL", "LOW", "MEDIUM", "HIGH"]))
      .optional(),
  }).optional(),
});

const toolConfig = message({
  functionCallingConfig: message({
    mode: z.preprocess(upper, z.enum(["MODE_UNSPECIFIED", "AUTO", "ANY", "NONE", "VALIDATED"])).optional(),
    allowedFunctionNames: z.array(z.string()).optional(),
    streamFunctionCallArguments: z.boolean().optional(),
  }).optional(),
  retrievalConfig: map.optional(),
  includeServerSideToolInvocations: z.boolean().optional(),
});

const shape = {
  model: z.string().optional(),
  contents: z.array(content).min(1),
  systemInstruction: content.optional(),
  tools: z.array(tool).optional(),
  toolConfig: toolConfig.optional(),
  safetySettings: z.array(message({ category: z.string(), threshold: z.string() })).optional(),
  generationConfig: generationConfig.optional(),
  cachedContent: z.string().optional(),
  labels: z.record(z.string(), z.string()).optional(),
  store: z.boolean().optional(),
  serviceTier: z.enum(["flex", "standard", "priority"]).optional(),
};

export const schema = message(shape);

export const countSchema = message({
  contents: z.array(content).optional(),
  generateContentRequest: message({ ...shape, model: z.string() }).optional(),
});

export const embedSchema = message({
  model: z.string().optional(),
  content,
  taskType: z.string().optional(),
  title: z.string().optional(),
  outputDimensionality: z.int().min(1).max(3072).optional(),
});

export const batchEmbedSchema = message({ requests: z.array(embedSchema).min(1).max(100) });

export type Body = z.infer<typeof schema>;
export type Content = z.infer<typeof content>;
export type WirePart = z.infer<typeof part>;
export type EmbedRequest = z.infer<typeof embedSchema>;
