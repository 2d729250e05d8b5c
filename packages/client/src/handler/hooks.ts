import type { AnyCaller, Head, TextRequest } from "@manifold-gateway/core";
import { type Lose, noTrace, type Trace } from "@manifold-gateway/core/codec";
import { type Event, fold, type Reply, unfold } from "@manifold-gateway/core/ir";
import { CallerRequest, Rejection } from "@manifold-gateway/core/plan";
import { HookError } from "../reply/hook-error.ts";
import type { Incoming } from "../request/incoming.ts";

/** What a hook knows of its request. */
export interface HookContext {
  /** The model as the caller wrote it. */
  model: string;
  /** The `x-request-id` of the answer. */
  requestId: string;
  /** Whether the answer is a stream. */
  stream: boolean;
}

/**
 * Functions that see the canonical form of each text generation and may change it. What they return takes the place of
 * what they were given; `undefined` leaves it as it is. With hooks, a request is decoded and encoded even where its
 * provider speaks the caller's protocol. If one throws, the caller gets status 500, or an error in its stream.
 *
 *     hooks: {
 *       request: (request) => ({ ...request, params: { ...request.params, temperature: 0 } }),
 *       event: (event) => (event.type === "delta" ? { ...event, text: mask(event.text) } : event),
 *     }
 */
export interface Hooks {
  /** Sees the request before its target is chosen. */
  request?(
    request: TextRequest,
    context: HookContext,
  ): TextRequest | undefined | Promise<TextRequest | undefined>;
  /** Sees each event of the answer, streamed or not; several events, or none, may take its place. */
  event?(event: Event, context: HookContext): Event | readonly Event[] | undefined;
  /** Sees the whole answer at its end. What it returns replaces an answer that is not streamed. */
  reply?(reply: Reply, context: HookContext): Reply | undefined;
}

/**
 * A call whose request the hook has seen, and whose answer's events pass through the others. A body that its schema
 * refuses is left as it is, and refused later. Throws a `HookError` if the hook throws.
 */
export async function withHooks(
  call: Incoming,
  hooks: Hooks,
  onError: (error: unknown) => void,
): Promise<Incoming> {
  const { codec, body, model, wire, id } = call;
  // Places are remembered by node, so that losses still name the caller's own members.
  const places: [node: object, pointer: string][] = [];
  const decode = (value: object): TextRequest =>
    codec.request.decode(value, (node: object, pointer: string) => void places.push([node, pointer]));
  const reading = new CallerRequest({
    codec: { ...codec, request: { ...codec.request, decode } },
    body,
    model,
    stream: wire.stream,
  }).whole();
  if (reading instanceof Rejection) return call;
  const context = { model, requestId: id, stream: wire.stream };
  let request = reading.request;
  try {
    request = (await hooks.request?.(request, context)) ?? request;
  } catch (error) {
    onError(error);
    throw new HookError();
  }
  const readAgain = (_: object, trace: Trace = noTrace): TextRequest => {
    for (const [node, pointer] of places) trace(node, pointer);
    return request;
  };
  return {
    ...call,
    rewritten: true,
    // A body that may hold a seal is decoded and encoded.
    body: { ...body, holdsSeal: () => true },
    codec: {
      ...codec,
      request: { ...codec.request, decode: readAgain },
      reply: {
        ...codec.reply,
        encode: (head: Head, lose: Lose) =>
          hookedWriter(codec.reply.encode(head, lose), hooks, context, onError),
      },
    },
  };
}

type Writer = ReturnType<AnyCaller["reply"]["encode"]>;

/** A writer of the events that the hooks let through. An answer that is not streamed is written at its end. */
function hookedWriter(
  writer: Writer,
  hooks: Hooks,
  context: HookContext,
  onError: (error: unknown) => void,
): Writer {
  const seen: Event[] = [];
  let isFailed = false;
  const guarded = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      isFailed = true;
      onError(error);
      throw new HookError();
    }
  };
  const passed = (event: Event): readonly Event[] => {
    const result = hooks.event?.(event, context) ?? event;
    return "type" in result ? [result] : result;
  };
  return {
    step(event) {
      if (isFailed) return writer.step(event);
      const events = guarded(() => passed(event));
      seen.push(...events);
      return context.stream ? events.flatMap((one) => writer.step(one)) : [];
    },
    end() {
      if (isFailed) return writer.end();
      const reply = fold(seen);
      const result = guarded(() => hooks.reply?.(reply, context) ?? reply);
      const held = context.stream ? [] : [...unfold(result)].flatMap((event) => writer.step(event));
      return [...held, ...writer.end()];
    },
  };
}
