import type { Ask } from "../../capability/ask.ts";
import { type ParamNames, paramsOf, partOf, wantsOf } from "../ask-params.ts";
import type { ImageAsk } from "./ir.ts";

/** The wants of an image request from its model. `names`: where the caller's wire calls parameters otherwise. */
export function wantsOfImage(ask: ImageAsk, names?: ParamNames): Ask {
  const { model, prompt: _, images, extra, user: _user, ...params } = ask;
  const more = Object.entries(extra?.fields ?? {}).map(([name, value]) => ({
    name,
    path: `/${name}`,
    value,
    extra: true as const,
  }));
  // A mask is no picture to start from, and counts as none.
  const parts = images.filter(({ role }) => role === undefined).map((image) => partOf("image", image));
  return wantsOf("image", model, [...paramsOf(params, names), ...more], parts, names);
}
