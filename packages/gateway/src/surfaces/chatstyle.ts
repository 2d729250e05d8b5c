import { type AnyCodec, chatstyle, type Edits, responses } from "@manifold-gateway/core";
import { completions, fillInTheMiddle, type JsonObject } from "@manifold-gateway/core/codec";
import { embedCodecs } from "@manifold-gateway/core/operations";
import { countForms, streamEdits } from "@manifold-gateway/core/wire";
import { z } from "zod";
import { countServices, generationServices, textServices } from "../generation/services.ts";
import { bodyLimits } from "../http/body.ts";
import { usualRateHeaders } from "../http/rate-headers.ts";
import { Refusal } from "../http/refusal.ts";
import { documented } from "../openapi/request-schemas.ts";
import type { Context } from "../ports/context.ts";
import { defineRoute, type Route, type Surface } from "../route.ts";
import type { Resolution } from "../routing/candidate.ts";
import { countAbout, countLimits, countTokens } from "../text/count.ts";
import { generateText } from "../text/generate.ts";
import type { TextAsk } from "../text/plan.ts";
import { warmUpText } from "../text/warm-up.ts";
import { chatBatchRoutes } from "./batches.ts";
import { embeddingsRoute } from "./embeddings.ts";
import { fileRoutes } from "./files.ts";
import { chatHead, completionHead, responseCountHead, responsesHead } from "./heads.ts";
import { chatImageRoutes } from "./images.ts";
import { createdOf, listing, probe } from "./listing.ts";
import { moderationRoute } from "./moderations.ts";
import { rerankRoutes } from "./rerank.ts";
import { modelEntry } from "./shapes/models.ts";
import { chatCompletion, eventStream, response, textCompletion } from "./shapes/replies.ts";
import { chatSpeechRoute } from "./speech.ts";
import { chatTranscriptionRoutes } from "./transcriptions.ts";
import { chatVideoRoutes } from "./videos.ts";

type Head = z.ZodType<{ model: string; stream?: boolean | null | undefined }>;
type RouteFields = Pick<Route, "path" | "summary" | "about" | "wire" | "answer" | "also" | "examples">;

const text = (
  fields: RouteFields,
  codec: AnyCodec,
  body: Head,
  more: {
    streamEdits?: (value: JsonObject) => Edits;
    drop?: (context: Context<"responsesReasoning">) => string[];
    check?: TextAsk["check"];
  } = {},
): Route =>
  defineRoute({
    ...fields,
    method: "POST",
    access: "key",
    body,
    limits: bodyLimits,
    generates: true,
    explains: true,
    batched: true,
    uses: textServices,
    handler(context, { body: { model, stream }, json }) {
      const isStream = stream === true;
      const edits = (isStream && more.streamEdits?.(json.value)) || {};
      const { check } = more;
      const drop = more.drop?.(context) ?? [];
      const ask = { codec, body: json, model, stream: isStream, edits, drop, ...(check && { check }) };
      return generateText(context, ask);
    },
  });

const model = modelEntry
  .extend({ object: z.literal("model"), created: z.int(), owned_by: z.string() })
  .meta({ id: "ChatModel" });

const conversation = [{ role: "user", content: "Say hello." }];

const responsesRoute = text(
  {
    path: "/v1/responses",
    summary: "Create a response",
    wire: documented(responses.request.schema, "ResponseWire"),
    answer: response,
    also: eventStream("an event of the response, as its `event` field names it"),
    examples: {
      whole: { body: { model: "sim-responses", input: "Say hello." } },
      streamed: { body: { model: "sim-responses", input: "Say hello.", stream: true } },
      translated: { body: { model: "sim-generate", input: "Say hello.", max_output_tokens: 64 } },
    },
  },
  responses,
  responsesHead,
  // Another provider cannot use state that is stored at one provider.
  {
    drop: ({ services }) => [
      ...["store", "include", "previous_response_id"],
      ...(services.responsesReasoning ? [] : ["reasoning"]),
    ],
  },
);

/** Serves messages of a WebSocket that ask for no output. */
const warmUpRoute = defineRoute({
  method: "POST",
  path: "/v1/responses",
  access: "key",
  summary: "Prepare a response",
  body: responsesHead,
  uses: generationServices,
  handler: (context, { body: { model }, json }) =>
    warmUpText(context, { codec: responses, body: json, model }),
});

const responsesSocket = defineRoute({
  method: "GET",
  path: "/v1/responses",
  access: "key",
  summary: "Responses over a WebSocket",
  about:
    'Opened with `Upgrade: websocket`. Each message is `{ "type": "response.create" }` and the members of `POST`, one at a time; the events of the response are sent as messages.',
  statuses: [101],
  opens: { route: responsesRoute, warmUp: warmUpRoute, codec: responses },
  // A request that reaches the handler was not upgraded.
  handler: () => undefined,
});

/** Refuses to translate a request that no other protocol can express. */
const refuseTranslation = ({ protocol, model }: Resolution): void => {
  if (protocol === chatstyle.protocol) return;
  throw new Refusal("unsupported_parameter", `model: '${model.id}' completes no texts; ask it in a chat.`, {
    param: "model",
  });
};

const completing = (path: string, summary: string, codec: AnyCodec): Route =>
  text(
    {
      path,
      summary,
      about: "Passed through to providers of the chat protocol that have the endpoint.",
      answer: textCompletion,
      also: eventStream("a chunk of the completion, and of the last `[DONE]`"),
      examples: { whole: { body: { model: "sim-chat", prompt: "Once upon a time", max_tokens: 16 } } },
    },
    codec,
    completionHead,
    { streamEdits, check: refuseTranslation },
  );

/** The chat-completions surface, with the responses API of the same vendor. */
export const chatSurface: Surface = {
  name: "chatstyle",
  about: "Chat completions, with the responses API of the same family.",
  prefix: "/api/chatstyle",
  codec: chatstyle,
  rates: usualRateHeaders,
  routes: [
    probe,
    ...listing({
      path: "/v1/models",
      native: (model) => ({ object: "model", created: createdOf(model), owned_by: "manifold" }),
      wrap: (data) => ({ object: "list", data }),
      one: model,
      all: z.object({ object: z.literal("list"), data: z.array(model) }),
    }),
    text(
      {
        path: "/v1/chat/completions",
        summary: "Create a chat completion",
        wire: documented(chatstyle.request.schema, "ChatCompletionWire"),
        answer: chatCompletion,
        also: eventStream("a `chat.completion.chunk`, and of the last `[DONE]`"),
        examples: {
          whole: { body: { model: "sim-chat", messages: conversation } },
          streamed: { body: { model: "sim-chat", messages: conversation, stream: true } },
          translated: { body: { model: "sim-messages", messages: conversation, max_tokens: 64 } },
        },
      },
      chatstyle,
      chatHead,
      { streamEdits },
    ),
    responsesRoute,
    responsesSocket,
    defineRoute({
      method: "POST",
      path: "/v1/responses/input_tokens",
      access: "key",
      summary: "Count the input tokens of a response",
      about: countAbout,
      body: responseCountHead,
      limits: countLimits,
      answer: z.looseObject({ object: z.literal("response.input_tokens"), input_tokens: z.int() }),
      examples: { one: { body: { model: "sim-responses", input: "Say hello." } } },
      uses: countServices,
      handler: (context, { body: { model }, json }) =>
        countTokens(context, {
          codec: responses,
          body: json,
          model,
          ...countForms.responses,
        }),
    }),
    completing("/v1/completions", "Create a text completion (legacy)", completions),
    completing("/v1/fim/completions", "Create a fill-in-the-middle completion", fillInTheMiddle),
    ...chatImageRoutes,
    ...chatVideoRoutes,
    ...chatTranscriptionRoutes,
    chatSpeechRoute,
    ...rerankRoutes,
    moderationRoute,
    ...fileRoutes,
    ...chatBatchRoutes,
    embeddingsRoute(embedCodecs.chatstyle, "EmbeddingsWire"),
  ],
};
