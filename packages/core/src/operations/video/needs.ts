import type { Ask, RequestedPart } from "../../capability/ask.ts";
import { type ParamNames, paramsOf, partOf, wantsOf } from "../ask-params.ts";
import type { VideoAsk } from "./ir.ts";

/** The wants of a video request from its model. `names`: where the caller's wire calls parameters otherwise. */
export function wantsOfVideo(ask: VideoAsk, names?: ParamNames): Ask {
  const { model, parts, ...params } = ask;
  const media = parts.flatMap((part): RequestedPart[] => {
    if (part.type === "text") return [];
    if (part.type !== "image") return [partOf(part.type, part)];
    const { role, roleAssumed } = part;
    return [{ ...partOf("image", part), role, ...(roleAssumed && { roleAssumed }) }];
  });
  return wantsOf("video", model, paramsOf(params, names), media, names);
}
