import { COMMENT, type Json } from "@manifold-gateway/core/codec";
import {
  type ChatstyleImageEvent,
  chatstyleImageNames,
  chatstyleImageSchema,
  decodeChatstyleImage,
  encodeChatstyleCompleted,
  encodeChatstyleImage,
  encodeChatstylePreview,
  type ImageAsk,
} from "@manifold-gateway/core/operations";
import { bodyLimits } from "../http/body.ts";
import type { JsonBody } from "../http/json-body.ts";
import { toSeconds } from "../http/moments.ts";
import { envelope, Refusal } from "../http/refusal.ts";
import { streamHeaders } from "../http/stream.ts";
import { planned } from "../media/explain.ts";
import { planImage } from "../media/image.ts";
import { finished, picturesOf, withBytes } from "../media/job-answer.ts";
import type { MediaTrail } from "../media/resolve.ts";
import { type MediaPlanService, type MediaService, mediaServices } from "../media/services.ts";
import { begin, headersOf, type PreparedWork } from "../media/work.ts";
import type { Answer, Context } from "../ports/context.ts";
import { defineRoute, type Route } from "../route.ts";
import { LONGEST_SILENCE } from "../text/caller-stream.ts";
import { editOf, editSchema } from "./edits.ts";
import { imageList } from "./shapes/media.ts";
import { eventStream } from "./shapes/replies.ts";

/** A request of any of the endpoints. */
interface ImageRequest {
  ask: ImageAsk;
  stream: boolean;
  json: JsonBody;
  /** The prefix of the events' names. */
  kind: "image_generation" | "image_edit";
}

const plan = (
  context: Context<MediaPlanService>,
  { ask, stream, json }: ImageRequest,
  trace: MediaTrail,
): Promise<PreparedWork> =>
  planImage(context, ask, json, {
    names: chatstyleImageNames,
    shapes: true,
    leaves: true,
    streams: stream,
    trace,
  });

async function answered(
  context: Context<MediaService>,
  { ask, kind }: ImageRequest,
  work: PreparedWork,
): Promise<Answer | undefined> {
  if (!work.queue.first().streams) return whole(context, work, ask.responseFormat);
  const release = context.services.streams.take(context.caller);
  return streamed(context, work, kind).finally(release);
}

const answer = planned(plan, answered);

async function whole(
  context: Context<MediaService>,
  work: PreparedWork,
  responseFormat: string | undefined,
): Promise<Answer> {
  const view = await finished(context, await begin(context, work));
  // By default, the image comes in the form in which the provider sent it.
  const inline = responseFormat !== "url" && (responseFormat === "b64_json" || !view.image?.images[0]?.url);
  const result = inline ? await withBytes(context, view) : picturesOf(view);
  const created = toSeconds(view.createdAt);
  return {
    headers: headersOf(view, work),
    body: encodeChatstyleImage(result, { created, responseFormat }),
  };
}

/** Streams partial images as they arrive, then each complete image. */
async function streamed(
  context: Context<MediaService>,
  work: PreparedWork,
  kind: ImageRequest["kind"],
): Promise<undefined> {
  const { sink } = context.exchange;
  const created = toSeconds(context.services.now());
  const send = (text: string): void => {
    sink.head(200, {
      "content-type": "text/event-stream",
      ...streamHeaders,
      ...headersOf({ id: context.progress.generation ?? "" }, work),
    });
    void sink.write(text);
  };
  const write = ({ type, ...event }: ChatstyleImageEvent): void => {
    const named = { type: type.replace("image_generation", kind), ...event };
    send(`event: ${named.type}\ndata: ${JSON.stringify(named)}\n\n`);
  };
  const begun = await begin(context, work, {
    preview: (preview) => write(encodeChatstylePreview(preview, created)),
  });
  // A picture may take minutes, and balancers cut a silent connection earlier.
  const alive = setInterval(() => send(COMMENT), LONGEST_SILENCE);
  try {
    const view = await finished(context, begun);
    for (const event of encodeChatstyleCompleted(await withBytes(context, view), created)) write(event);
  } catch (error) {
    // Once the answer has begun, a refusal has to be sent as an event.
    if (!sink.started) throw error;
    write({ type: "error", error: errorIn(context, error) });
  } finally {
    clearInterval(alive);
  }
  sink.end();
  return undefined;
}

/** The error of an event: the provider's where it gave one. */
function errorIn({ surface, services, exchange }: Context<"now">, error: unknown): Json {
  if (!(error instanceof Refusal)) return { message: "The generation failed." };
  return envelope(error, exchange.path, services.now(), surface.codec).error ?? { message: error.message };
}

const about =
  "With `stream`, partial images are sent as events if the provider makes them; otherwise the response is one JSON body.";

/** Routes for images on the chat-style surface. */
export const chatImageRoutes: readonly Route[] = [
  defineRoute({
    method: "POST",
    path: "/v1/images/generations",
    access: "key",
    summary: "Generate images",
    about,
    body: chatstyleImageSchema.meta({ id: "ImageRequest" }),
    limits: bodyLimits,
    answer: imageList,
    also: eventStream("an event of the images, as its `event` field names it"),
    examples: {
      whole: { body: { model: "sim-image-chat", prompt: "A lighthouse at dusk.", size: "1024x1024" } },
      streamed: {
        body: { model: "sim-image-chat", prompt: "A lighthouse.", stream: true, partial_images: 2 },
      },
    },
    generates: true,
    explains: true,
    uses: mediaServices,
    handler: (context, { body, json }) =>
      answer(context, {
        ask: decodeChatstyleImage(body),
        stream: body.stream === true,
        json,
        kind: "image_generation",
      }),
  }),
  defineRoute({
    method: "POST",
    path: "/v1/images/edits",
    access: "key",
    summary: "Edit images",
    about: `${about} A form with files or a JSON body with \`images\`.`,
    body: editSchema.meta({ id: "ImageEditRequest" }),
    form: true,
    lists: new Set(["image"]),
    limits: bodyLimits,
    answer: imageList,
    also: eventStream("an event of the images, as its `event` field names it"),
    generates: true,
    explains: true,
    uses: mediaServices,
    handler: (context, { body, json }) =>
      answer(context, { ask: editOf(body), stream: body.stream === true, json, kind: "image_edit" }),
  }),
];
