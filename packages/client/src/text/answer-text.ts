import {
  type Head,
  MalformedReply,
  type Observation,
  observe,
  observeBody,
  readFrames,
  TranslatedReply,
} from "@manifold-gateway/core";
import { FRAME_LIMIT, parseJson, readFailure } from "@manifold-gateway/core/codec";
import { arrayStream, eventStream, type Framing } from "@manifold-gateway/core/wire";
import { UpstreamFault } from "@manifold-gateway/providers";
import { HookError } from "../handler/hooks.ts";
import { answerHeaders, failureResponse } from "../reply/failure.ts";
import type { TextAnswer, TextRequestCall } from "./call-text.ts";

/** The largest unary answer, in bytes. */
const LARGEST = 256 * 1024 * 1024;

/** What is reported once an answer is over. */
export interface AnswerReport {
  end(observation: Observation, losses: TranslatedReply["losses"]): void;
}

/** The answer of a target as the answer to the caller, in the caller's protocol. */
export async function answerText(
  call: TextRequestCall,
  answer: TextAnswer,
  report: AnswerReport,
): Promise<Response> {
  const { codec, id } = call;
  const { response, plan } = answer;
  if (response.status >= 400) {
    const text = new TextDecoder().decode(await response.body.bytes(LARGEST));
    const failure = readFailure(plan.upstream, response.status, text, response.headers) ?? {
      kind: "unavailable",
      status: 502,
      message: `The provider failed with status ${response.status} and no readable reason.`,
    };
    const pause = response.headers["retry-after"];
    return failureResponse(codec, failure, id, {
      "x-should-retry": "false",
      ...(typeof pause === "string" && { "retry-after": pause }),
    });
  }
  return call.wire.stream ? streamed(call, answer, report) : whole(call, answer, report);
}

const headOf = ({ id, model }: TextRequestCall, { plan }: TextAnswer): Head => ({
  id,
  model,
  created: Math.floor(Date.now() / 1000),
  ...(plan.request && { request: plan.request }),
});

async function whole(call: TextRequestCall, answer: TextAnswer, report: AnswerReport): Promise<Response> {
  const { plan, response } = answer;
  const bytes = await response.body.bytes(LARGEST);
  if (!plan.translated) {
    report.end(observeBody(plan.upstream, parseJson(new TextDecoder().decode(bytes))), []);
    return new Response(bytes as BodyInit, { headers: answerHeaders(call.id, "application/json") });
  }
  const reply = new TranslatedReply(plan.upstream, call.codec, headOf(call, answer), {
    ...(plan.restore && { restore: plan.restore() }),
  });
  const { status, body } = reply.whole(200, bytes);
  report.end(reply.observation(), reply.losses);
  return new Response(JSON.stringify(body), { status, headers: answerHeaders(call.id, "application/json") });
}

/** What turns the bytes of a stream into the caller's. */
interface Reader {
  push(bytes: Uint8Array): string | Uint8Array;
  finish(fault?: string): string;
  observation(): Observation;
  readonly losses: TranslatedReply["losses"];
}

function readerOf(call: TextRequestCall, answer: TextAnswer, framing: Framing): Reader {
  const { plan, response } = answer;
  const unary = /^application\/json\b/i.test(String(response.headers["content-type"] ?? ""));
  if (plan.translated || unary || call.wire.form === "array")
    return new TranslatedReply(plan.upstream, call.codec, headOf(call, answer), {
      frame: framing.frame,
      unary,
      ...(plan.restore && { restore: plan.restore() }),
    });
  const seen = observe(plan.upstream);
  const frames = readFrames(FRAME_LIMIT);
  return {
    losses: [],
    push(bytes) {
      for (const { data } of frames.step(bytes)) seen.chunk(data);
      return bytes;
    },
    finish(fault) {
      for (const { data } of frames.end()) seen.chunk(data);
      if (fault === undefined) return "";
      const failure = { kind: "unavailable", status: 502, message: fault } as const;
      const writer = call.codec.reply.encode({ id: "", model: "", created: 0 }, () => {});
      const chunks = writer.step({ type: "failure", failure });
      const chunk = chunks.at(-1);
      return framing.frame(JSON.stringify(chunk), call.codec.frame.event?.(chunk));
    },
    observation: () => seen.soFar(),
  };
}

async function streamed(call: TextRequestCall, answer: TextAnswer, report: AnswerReport): Promise<Response> {
  const { codec, id, wire, signal } = call;
  const { body } = answer.response;
  const framing = wire.form === "array" ? arrayStream() : eventStream(codec);
  const reader = readerOf(call, answer, framing);
  const encoder = new TextEncoder();
  const toBytes = (out: string | Uint8Array): Uint8Array =>
    typeof out === "string" ? encoder.encode(out) : out;
  let isBegun = false;
  let isOver = false;

  const end = (fault?: string): Uint8Array => {
    isOver = true;
    let rest: string;
    try {
      rest = reader.finish(fault);
    } catch (error) {
      rest = reader.finish(wordsOf(error));
    }
    report.end(reader.observation(), reader.losses);
    return toBytes(rest + framing.close());
  };
  /** The next bytes for the caller. */
  const next = async (): Promise<Uint8Array> => {
    try {
      for (let bytes = await body.next(); bytes !== undefined; bytes = await body.next()) {
        const out = reader.push(bytes);
        if (out.length > 0) return toBytes(out);
      }
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      body.cancel();
      if (error instanceof HookError && !isBegun) throw error;
      return end(wordsOf(error));
    }
    return end();
  };

  const first = await next();
  isBegun = true;
  const { failure } = reader.observation();
  if (isOver && failure) return failureResponse(codec, failure, id, { "x-should-retry": "false" });
  let pending: Uint8Array | undefined = first;
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const bytes: Uint8Array = pending ?? (await next());
          pending = undefined;
          if (bytes.length > 0) controller.enqueue(bytes);
          if (isOver) controller.close();
        } catch (error) {
          controller.error(error);
        }
      },
      cancel() {
        body.cancel();
        if (!isOver) report.end(reader.observation(), reader.losses);
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(stream, { headers: answerHeaders(id, framing.contentType) });
}

/** The words for an error that ends an answer, for the caller: those of a defect are never shown. */
const wordsOf = (error: unknown): string =>
  error instanceof UpstreamFault || error instanceof MalformedReply || error instanceof HookError
    ? error.message
    : new MalformedReply().message;
