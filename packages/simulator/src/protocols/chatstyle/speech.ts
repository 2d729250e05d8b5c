import * as z from "zod";
import { checked } from "../../check/body.ts";
import { countTokens } from "../../content/tokens.ts";
import { make } from "../../media/media-store.ts";
import { cutBytes, secondsOf, soundOf } from "../../media/sound.ts";
import { toRefusal } from "../family.ts";
import type { AcceptedRequest, Chunk, MediaCall } from "../protocol.ts";

const schema = z.strictObject({
  model: z.string().min(1),
  input: z.string().min(1).max(4096),
  voice: z.string().min(1),
  instructions: z.string().max(4096).optional(),
  response_format: z.enum(["mp3", "opus", "aac", "flac", "wav", "pcm"]).optional(),
  speed: z.number().min(0.25).max(4).optional(),
  stream_format: z.enum(["audio", "sse"]).optional(),
});

const ERRORS = { moderation: "content_policy_violation", internal: "server_error" };
const RATE = 24_000;
/** Output tokens of a second. */
const PER_SECOND = 20;

/** A text, said: the file itself, or its pieces as events. */
export function speak(call: MediaCall): AcceptedRequest {
  const {
    input,
    instructions = "",
    response_format = "mp3",
    speed = 1,
    stream_format,
  } = checked(schema, call.body, toRefusal);
  const stream = stream_format === "sse";
  return {
    text: `${input}\n${instructions}`,
    stream,
    answer: (outcome, withUsage) => {
      const { output, bytes } = soundOf(response_format, secondsOf(input, speed), RATE, call.hash, outcome);
      const usage = {
        input_tokens: countTokens(input + instructions),
        output_tokens: Math.ceil(output.seconds * PER_SECOND),
      };
      make(call, {
        outcome,
        errors: ERRORS,
        make: () => ({ outputs: [output], billed: { characters: [...input].length, ...usage } }),
      });
      const counts = { input: usage.input_tokens, output: usage.output_tokens };
      const sound = outcome.silent ? Buffer.alloc(0) : bytes();
      if (!stream) return { usage: counts, type: output.type, bytes: sound };
      const type = "speech.audio.delta";
      const deltas = cutBytes(sound, 4).map(
        (part): Chunk => ({ data: { type, audio: part.toString("base64") }, part: "content" }),
      );
      const total_tokens = usage.input_tokens + usage.output_tokens;
      const end = { type: "speech.audio.done", ...(withUsage ? { usage: { ...usage, total_tokens } } : {}) };
      return { usage: counts, chunks: [...deltas, { data: end, part: "done" }], framing: "events" };
    },
  };
}
