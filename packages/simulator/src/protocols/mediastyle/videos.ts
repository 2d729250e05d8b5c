import { checked } from "../../check/body.ts";
import { decodeBase64 } from "../../check/media.ts";
import { checkRules } from "../../check/rule.ts";
import { digest } from "../../content/digest.ts";
import { filmOf } from "../../media/film.ts";
import type { MediaJob, Output } from "../../media/media-jobs.ts";
import { begin, publish } from "../../media/media-store.ts";
import { pictureOf } from "../../media/picture.ts";
import { framesOf, tokensOf, type VideoModel, videoModel } from "../../media/video-models.ts";
import type { AcceptedRequest, MediaCall } from "../protocol.ts";
import { bad, toRefusal } from "./errors.ts";
import { checkImage } from "./media.ts";
import { rules } from "./video-rules.ts";
import { type Body, schema, textOf } from "./video-schema.ts";

export const VIDEO_ERRORS = {
  moderation: "OutputVideoSensitiveContentDetected",
  internal: "InternalServiceError",
};
const DAY = 24 * 3600;
const LIMITS = { edges: [299, 6000], ratio: [0.4, 2.5] } as const;
const LONGEST_INPUT = 15;

/** The asset a client points at; it must be there, be of the right kind, and be ready. */
function assetOf(call: MediaCall, url: string, kind: string, field: string): string {
  const id = url.slice("asset://".length);
  const job = call.mediaStore.jobs.find(id);
  const { AssetType: type, URL: source } = (job?.request ?? {}) as Record<string, string>;
  if (job?.operation !== "asset") throw bad(field, `the asset ${id} is not found`);
  if ((type ?? "Image").toLowerCase() !== kind) throw bad(field, `the asset ${id} is not of type ${kind}`);
  if (job.state !== "succeeded") throw bad(field, `the asset ${id} is not active`);
  return source ?? "";
}

/** Checks the links in a body and counts the seconds of film in its inputs. */
function inputSeconds(call: MediaCall, body: Body, { generation }: VideoModel): number {
  let seconds = 0;
  for (const [index, item] of body.content.entries()) {
    if (item.type === "text" || item.type === "draft_task") continue;
    const kind = item.type.replace("_url", "");
    const field = `content[${index}].${item.type}.url`;
    const given =
      item.type === "image_url"
        ? item.image_url
        : item.type === "video_url"
          ? item.video_url
          : item.audio_url;
    const isAsset = given.url.startsWith("asset://");
    if (isAsset && !generation.startsWith("2")) throw bad(field, "the model takes no assets");
    const url = isAsset ? assetOf(call, given.url, kind, field) : given.url;
    if (kind === "image" && !isAsset) checkImage(url, field, LIMITS);
    else if (kind === "audio" && url.startsWith("data:")) {
      const [, format = "", data = ""] = url.match(/^data:audio\/([^;,]+);base64,(.*)$/s) ?? [];
      if (!["wav", "mp3"].includes(format) || !decodeBase64(data))
        throw bad(field, "expected wav or mp3 in base64");
    } else if (!/^https?:\/\/\S+$/.test(url)) throw bad(field, "expected an http(s) URL or asset://<id>");
    // A file with its length in its name is taken at its word; others are five seconds long.
    if (kind === "video") seconds += Number(url.match(/(?<!\d)(\d+)s\b/)?.[1] ?? 5);
  }
  if (generation === "2.0" && seconds > LONGEST_INPUT)
    throw bad("content", `the videos together must not be longer than ${LONGEST_INPUT} s`);
  return seconds;
}

/** Models of the first generation still take settings from the text. */
function flagged(body: Body, { generation }: VideoModel): Body {
  if (!generation.startsWith("1")) return body;
  const flag = (names: string): string | undefined =>
    textOf(body).match(new RegExp(`--(?:${names})\\s+(\\S+)`))?.[1];
  const given = {
    duration: flag("duration|dur"),
    resolution: flag("resolution|rs"),
    ratio: flag("ratio|rt"),
    seed: flag("seed"),
  };
  const set = Object.entries(given).filter(([, value]) => value !== undefined);
  if (set.length === 0) return body;
  const numbers = ["duration", "seed"];
  const settings = set.map(([name, value]) => [name, numbers.includes(name) ? Number(value) : value]);
  return checked(schema, { ...body, ...Object.fromEntries(settings) }, toRefusal);
}

function planOf(body: Body, model: VideoModel, outcome: MediaJob["outcome"]) {
  const resolution = body.draft ? "480p" : (body.resolution ?? model.resolution);
  const requested = body.ratio ?? "adaptive";
  const ratio = requested === "adaptive" ? "16:9" : requested;
  const size = outcome.size ?? model.sizes[resolution]![ratio]!;
  const length = body.frames === undefined ? undefined : body.frames / 24;
  const wanted = body.duration === -1 ? undefined : body.duration;
  const seconds = outcome.seconds ?? length ?? wanted ?? 5;
  return { resolution, ratio, size, seconds, frames: body.frames ?? framesOf(model, seconds) };
}

/** Starts a film. The answer is its id and nothing else. */
export function createVideo(call: MediaCall): AcceptedRequest {
  const model = videoModel(call.model);
  const body = flagged(checked(schema, call.body, toRefusal), model);
  checkRules(rules, body, model);
  const input = inputSeconds(call, body, model);
  return {
    text: textOf(body),
    answer: (outcome) => {
      const job = begin(call, {
        outcome,
        errors: VIDEO_ERRORS,
        id: (hash) =>
          `cgt-${new Date(call.now).toISOString().replace(/\D/g, "").slice(0, 14)}-${hash.slice(0, 8)}`,
        make: (begun) => {
          const { size, seconds, frames, ...plan } = planOf(body, model, outcome);
          const audio = model.audio && body.generate_audio !== false;
          const film = filmOf({ size, seconds, frames, audio }, begun.id, outcome);
          const published = { job: begun, lifetime: DAY };
          const content: Record<string, string> = {};
          const outputs: Output[] = outcome.silent ? [] : [film.output];
          if (!outcome.silent) content.video_url = publish(call, { ...published, ...film });
          if (body.return_last_frame) {
            const frame = pictureOf("png", size, begun.id, {});
            outputs.push(frame.output);
            content.last_frame_url = publish(call, { ...published, ...frame });
          }
          const tokens = tokensOf(model, { size, seconds, input });
          return {
            outputs,
            billed: { completion_tokens: tokens, total_tokens: tokens },
            detail: {
              content,
              seed: body.seed ?? Number.parseInt(digest(begun.id).slice(0, 6), 16),
              ...plan,
              ...(body.frames === undefined ? { duration: Math.round(seconds) } : { frames }),
              framespersecond: 24,
              ...(model.audio ? { generate_audio: audio } : {}),
            },
          };
        },
      });
      return { body: { id: job.id } };
    },
  };
}
