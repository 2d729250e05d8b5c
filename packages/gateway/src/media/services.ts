/** The services that planning images, videos and speech uses. */
export const mediaPlanServices = ["catalog", "faultOfUrl", "media", "now", "providers", "routing"] as const;
export type MediaPlanService = (typeof mediaPlanServices)[number];

/** The services that a request for images, videos and speech uses until its answer. */
export const mediaServices = [
  ...mediaPlanServices,
  "base",
  "billing",
  "id",
  "limits",
  "protocols",
  "streams",
] as const;
export type MediaService = (typeof mediaServices)[number];
