import * as z from "zod";
import { inputTokens } from "../../content/tokens.ts";
import { begin } from "../../media/media-store.ts";
import { pictureOf, ratedSize } from "../../media/picture.ts";
import { conversationStateOf } from "../../model/conversation-state.ts";
import { Refusal } from "../../refusal.ts";
import type { AcceptedRequest, Chunk, MediaCall } from "../protocol.ts";
import { checked, read } from "./read.ts";

const RATIOS = ["1:1", "2:3", "3:2", "3:4", "4:3", "4:5", "5:4", "9:16", "16:9", "21:9"] as const;
const EDGES = { "1K": 1024, "2K": 2048, "4K": 4096 } as const;
const TOKENS = { "1K": 1120, "2K": 1120, "4K": 2000 } as const;

const imageConfig = z.strictObject({
  aspectRatio: z.enum(RATIOS).optional(),
  imageSize: z.enum(["1K", "2K", "4K"]).optional(),
});

const modalitiesOf = (body: unknown): string[] => {
  const record = (value: unknown) => (value ?? {}) as Record<string, unknown>;
  const config = record(record(body).generationConfig ?? record(body).generation_config);
  const listed = config.responseModalities ?? config.response_modalities;
  return Array.isArray(listed) ? listed.map((one) => String(one).toUpperCase()) : [];
};

/** Checks whether a body asks for pictures rather than text alone. */
export const wantsImage = (body: unknown): boolean => modalitiesOf(body).includes("IMAGE");

const ERRORS = { moderation: "IMAGE_SAFETY", internal: "IMAGE_OTHER" };

/** The names of a proto message may be in snake case. */
const camel = (record: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(record).map(([key, value]) => [
      key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  );

/** A picture as a part of an answer, with words before it where both were requested. */
const generate =
  (stream: boolean) =>
  (call: MediaCall): AcceptedRequest => {
    const { body, content } = read(call.body, call);
    const config = body.generationConfig ?? {};
    if (!call.model.includes("image"))
      throw new Refusal("invalid", "Model does not support the requested response modalities: image.");
    if ((config.candidateCount ?? 1) > 1)
      throw new Refusal("invalid", "Multiple candidates is not enabled for this model.");
    const { aspectRatio = "1:1", imageSize = "1K" } = checked(imageConfig, camel(config.imageConfig ?? {}));
    const { text, plain } = conversationStateOf(content);
    return {
      text,
      stream,
      answer: (outcome, withUsage) => {
        const size = ratedSize(aspectRatio, EDGES[imageSize]);
        const picture = pictureOf("png", size, call.hash, outcome);
        const input = inputTokens(content);
        const output = TOKENS[imageSize];
        const job = begin(call, {
          outcome,
          errors: ERRORS,
          make: () => ({
            outputs: outcome.silent ? [] : [picture.output],
            billed: { input_tokens: input, output_tokens: output },
          }),
        });
        call.mediaStore.jobs.finish(job, call.now);
        const failed = job.state !== "succeeded";
        const shown = failed || outcome.silent;
        const data = shown ? "" : picture.bytes().toString("base64");
        const words = modalitiesOf(call.body).includes("TEXT") ? [{ text: `Here is: ${plain}` }] : [];
        const parts = shown ? [] : [...words, { inlineData: { mimeType: picture.output.type, data } }];
        const counts = failed ? 0 : output;
        const usage = withUsage
          ? {
              usageMetadata: {
                promptTokenCount: input,
                candidatesTokenCount: counts,
                totalTokenCount: input + counts,
                promptTokensDetails: [{ modality: "TEXT", tokenCount: input }],
                candidatesTokensDetails: [{ modality: "IMAGE", tokenCount: counts }],
              },
            }
          : {};
        const end = {
          finishReason: failed ? (job.error?.code ?? "OTHER") : outcome.silent ? "NO_IMAGE" : "STOP",
          ...(failed ? { finishMessage: job.error?.message } : {}),
        };
        const envelope = { modelVersion: call.model, responseId: call.hash.slice(0, 22) };
        const candidate = (some: object[], rest: object) => ({
          ...(some.length > 0 ? { content: { role: "model", parts: some } } : {}),
          ...rest,
          index: 0,
        });
        const billed = { input, output: counts };
        if (!stream)
          return { usage: billed, body: { candidates: [candidate(parts, end)], ...usage, ...envelope } };
        const chunks = parts.map(
          (part): Chunk => ({ data: { candidates: [candidate([part], {})], ...envelope }, part: "content" }),
        );
        const last: Chunk = {
          data: { candidates: [candidate([], end)], ...usage, ...envelope },
          part: "done",
        };
        const framing = call.url.searchParams.get("alt") === "sse" ? "events" : "array";
        return { usage: billed, chunks: [...chunks, last], framing };
      },
    };
  };

export const generateImage = generate(false);
export const streamImage = generate(true);
