import { createServer, type ServerResponse } from "node:http";
import { createCatalog, type Model } from "@manifold-gateway/gateway";
import { defineProvider, type UpstreamProtocol } from "@manifold-gateway/providers";
import { listen } from "../../support/listen.ts";
import { type MediaStageOptions, startMediaStage } from "../../support/media.ts";
import { models } from "../../support/media-models.ts";
import type { Stage } from "../../support/stage.ts";
import { model } from "../../support/text.ts";

export const PATH = "/api/chatstyle/v1/audio/speech";

/** What a model costs whose provider the test is, in micro-USD a token. */
export const RATES = { input: 1, output: 20 };

const byHand = (id: string, provider: string): Model =>
  model(id, provider, {
    outputModalities: ["audio"],
    entries: [
      {
        ...{ provider, name: "speaker", priority: 1, isActive: true },
        price: { input: RATES.input * 1e6, output: RATES.output * 1e6 },
      },
    ],
  });

export interface SpeechStage extends Stage {
  /** Says how the provider of `live` and `aloud` answers. */
  answers(answer: (response: ServerResponse) => void): void;
}

/** A gateway whose models `live` (chat-style) and `aloud` (generate-content) are answered by the test. */
export async function startSpeech(options: MediaStageOptions = {}): Promise<SpeechStage> {
  let answer: (response: ServerResponse) => void = (response) => response.end();
  const server = createServer((request, response) => {
    request.resume().on("end", () => answer(response));
  });
  const { origin } = await listen(server);
  const provider = (id: string, protocol: UpstreamProtocol) =>
    defineProvider(id, { origin, speaks: [protocol], key: "upstream-secret" });
  const h = await startMediaStage({
    catalog: createCatalog([
      ...models,
      byHand("live", "hand-chat"),
      byHand("aloud", "hand-generate"),
      model("chatty", "chatstyle"),
    ]),
    ...options,
    providers: [provider("hand-chat", "chatstyle"), provider("hand-generate", "genstyle")],
  });
  return {
    ...h,
    answers(next) {
      answer = next;
    },
    async close() {
      await h.close();
      server.closeAllConnections();
      server.close();
    },
  };
}
