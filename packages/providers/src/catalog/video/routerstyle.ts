import type { VideoModel } from "../model.ts";
import { mediastyleVideos } from "./mediastyle.ts";
import { audios, frame, images, never, oneOf, ratios, videos } from "./rules.ts";

/** A model of the media wire as a router serves it: by address or inline, and never told to adapt. */
function routed(name: string): VideoModel {
  const own = mediastyleVideos[name] as VideoModel;
  const area = own.capabilities.video ?? {};
  const { seed: _, cameraFixed: _c, ...params } = area.params ?? {};
  const taken = area.inputs ?? {};
  return {
    ...own,
    wire: "routerstyle",
    capabilities: {
      strictParams: true,
      video: {
        ...area,
        params: { ...params, ratio: oneOf(ratios, "16:9"), seed: { type: "int", min: -1, max: 2 ** 31 - 1 } },
        unsupported: { cameraFixed: never, maxTokens: never },
        inputs: {
          image: images(taken.video ? { ...frame, referenceImage: 9 } : frame, ["url", "base64"]),
          ...(taken.video && { video: videos(3, ["url"]) }),
          ...(taken.audio && { audio: audios(3, ["url", "base64"]) }),
        },
      },
    },
  };
}

/** Video models by way of a router, by its name for them. */
export const routerstyleVideos: Readonly<Record<string, VideoModel>> = {
  "bytedance/seedance-2.0": routed("dreamina-seedance-2-0-260128"),
  "bytedance/seedance-2.0-fast": routed("dreamina-seedance-2-0-fast-260128"),
  "bytedance/seedance-2.0-mini": routed("dreamina-seedance-2-0-mini-260615"),
  "bytedance/seedance-1-5-pro": routed("seedance-1-5-pro-251215"),
};
