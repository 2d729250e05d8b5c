import { type JsonObject, textOf, toArray, toObject } from "@manifold-gateway/core/codec";
import type { VideoAsk, VideoResult } from "@manifold-gateway/core/operations";
import type { Adapter, Line } from "../adapter.ts";
import { CALL_TIMEOUTS, type Call } from "../call.ts";
import { encode } from "./genstyle/encode.ts";
import { submitOperation } from "./genstyle/submit.ts";
import { videoLosses } from "./losses.ts";
import { expiredTrouble, pollOperation, readOperation } from "./operation.ts";

/** The call that reads an operation of a model. A finished one comes with the bytes of its videos. */
const reading = ({ model }: Line, operationName: string): Call => ({
  method: "POST",
  path: `/models/${encodeURIComponent(model)}:fetchPredictOperation`,
  json: { operationName },
  timeout: CALL_TIMEOUTS.generate,
});

const finish = ({ videos }: JsonObject): JsonObject[] => toArray(videos).map(toObject);

/** The same videos on a platform that serves models by predictions: their bytes are in the operation. */
export const predictstyleVideo: Adapter<VideoAsk, VideoResult> = {
  losses: videoLosses("predictstyle"),
  inline: true,
  submit: (line, ask) =>
    submitOperation(line, ask, encode(ask, line.model, { generateAudio: ask.generateAudio })),
  poll: (line, id) => pollOperation(line, reading(line, id), finish),

  async content(line, id, index) {
    const read = await readOperation(line, reading(line, id), finish);
    const video =
      "status" in read && read.status.state === "succeeded" ? read.status.videos[index] : undefined;
    const bytes = Buffer.from(textOf(video?.bytesBase64Encoded) ?? "", "base64");
    if (bytes.length === 0) return { trouble: expiredTrouble };
    return {
      response: new Response(bytes, { headers: { "content-type": textOf(video?.mimeType) ?? "video/mp4" } }),
    };
  },
};
