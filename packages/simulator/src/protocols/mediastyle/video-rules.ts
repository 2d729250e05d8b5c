import type { Rule } from "../../check/rule.ts";
import type { VideoModel } from "../../media/video-models.ts";
import { type Body, inRole, ofType, textOf } from "./video-schema.ts";

const unsupported = (field: string): string =>
  `The parameter \`${field}\` specified in the request is not supported by the model.`;
const CONSTRAINT = "InvalidParameter.TaskTypeConstraint";
const MISMATCH = "InvalidParameter.TaskTypeMismatch";

const frames = (body: Body): number => inRole(body, "first_frame").length + inRole(body, "last_frame").length;
const others = (body: Body): number =>
  inRole(body, "reference_image").length +
  ofType(body, "video_url").length +
  ofType(body, "audio_url").length;

function badCount(body: Body, { references }: VideoModel): string | undefined {
  const counts = {
    image: inRole(body, "reference_image").length,
    video: ofType(body, "video_url").length,
    audio: ofType(body, "audio_url").length,
  };
  for (const kind of ["image", "video", "audio"] as const)
    if (counts[kind] > references[kind])
      return `The model takes at most ${references[kind]} reference ${kind}s, got ${counts[kind]}.`;
  return undefined;
}

function badDuration(
  { duration, frames: count }: Body,
  { generation, seconds }: VideoModel,
): string | undefined {
  if (duration === undefined) return undefined;
  if (count !== undefined) return "Only one of `duration` and `frames` may be given.";
  if (duration === -1 && generation !== "1.0") return undefined;
  const [least, most] = seconds;
  if (duration >= least && duration <= most) return undefined;
  return `The parameter \`duration\` specified in the request is not valid: it must be ${least} to ${most}, got ${duration}.`;
}

/** The vendor's refusals beyond the shape of a body, in its order. */
export const rules: Rule<Body, VideoModel>[] = [
  {
    field: "resolution",
    broken: ({ resolution }, { resolutions }) =>
      resolution !== undefined &&
      !resolutions.includes(resolution) &&
      `The parameter \`resolution\` specified in the request is not valid: expected one of ${resolutions.join(", ")}, got ${resolution}.`,
    message: "",
  },
  { field: "duration", broken: badDuration, message: "" },
  {
    field: "frames",
    broken: ({ frames: count }, { generation }) =>
      count !== undefined && (generation !== "1.0" || count % 4 !== 1),
    message:
      "The parameter `frames` specified in the request is not valid: it must be 25 + 4k, and the model must take it.",
  },
  {
    field: "ratio",
    broken: (body, { generation }) =>
      body.ratio === "adaptive" && generation === "1.0" && frames(body) === 0 && others(body) === 0,
    message: "The parameter `ratio` specified in the request is not valid: adaptive needs an image.",
  },
  {
    field: "ratio",
    broken: ({ ratio = "adaptive", ...body }, { generation }) =>
      generation === "2.5" && ratio !== "adaptive" && frames(body) > 0,
    message:
      "The parameter `ratio` specified in the request is not valid: with a first frame it must be adaptive.",
  },
  {
    field: "camera_fixed",
    broken: (body, { cameraFixed }) =>
      body.camera_fixed !== undefined && (!cameraFixed || inRole(body, "reference_image").length > 0),
    message: unsupported("camera_fixed"),
  },
  {
    field: "generate_audio",
    broken: ({ generate_audio }, { audio }) => generate_audio !== undefined && !audio,
    message: unsupported("generate_audio"),
  },
  {
    field: "service_tier",
    broken: ({ service_tier }, { flex }) => service_tier === "flex" && !flex,
    message: unsupported("service_tier"),
  },
  {
    field: "draft",
    broken: ({ draft: wanted, resolution }, { draft }) =>
      wanted === true && (!draft || (resolution ?? "480p") !== "480p"),
    message: unsupported("draft"),
  },
  {
    field: "priority",
    broken: ({ priority }, { generation }) => priority !== undefined && generation !== "2.0",
    message: unsupported("priority"),
  },
  {
    field: "tools",
    broken: (body, { generation }) =>
      body.tools !== undefined && (generation !== "2.0" || frames(body) + others(body) > 0),
    message: unsupported("tools"),
  },
  {
    field: "output_format",
    broken: (body, { generation }) =>
      (body.output_format ?? body.omni_reference_task_type) !== undefined && generation !== "2.5",
    message: unsupported("output_format"),
  },
  {
    field: "content",
    code: MISMATCH,
    broken: (body) => frames(body) > 0 && others(body) > 0,
    message: "First or last frames cannot be mixed with reference media.",
  },
  {
    field: "content",
    code: CONSTRAINT,
    broken: (body) => inRole(body, "last_frame").length > 0 && inRole(body, "first_frame").length === 0,
    message: "A last frame needs a first frame.",
  },
  {
    field: "content",
    code: CONSTRAINT,
    broken: (body) => inRole(body, "first_frame").length > 1 || inRole(body, "last_frame").length > 1,
    message: "There can be one first frame and one last frame.",
  },
  {
    field: "content",
    code: MISMATCH,
    broken: (body, { first, last }) =>
      (!first && frames(body) > 0) || (!last && inRole(body, "last_frame").length > 0),
    message: "The model does not support this task type: it takes no such frame.",
  },
  { field: "content", code: CONSTRAINT, broken: badCount, message: "" },
  {
    field: "content",
    code: CONSTRAINT,
    broken: (body, { generation }) =>
      generation !== "2.5" &&
      ofType(body, "audio_url").length > 0 &&
      inRole(body, "reference_image").length + ofType(body, "video_url").length === 0,
    message: "Reference audio needs a reference image or video beside it.",
  },
  {
    field: "content",
    code: "MissingParameter",
    broken: (body) =>
      textOf(body).trim() === "" &&
      frames(body) + others(body) === 0 &&
      ofType(body, "draft_task").length === 0,
    message: "The request is missing the required parameter `content.text`.",
  },
];
