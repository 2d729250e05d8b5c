import { createCatalog } from "@manifold-gateway/gateway";
import { defineProvider, type Provider } from "@manifold-gateway/providers";
import type { ServesOptions } from "../../packages/providers/src/services.ts";
import { ADA, OTHER } from "./holder.ts";
import { models } from "./media-models.ts";
import { type Stage, type StageOptions, startStage } from "./stage.ts";

const serves: Record<string, ServesOptions> = {
  mediastyle: { image: "mediastyle", video: "mediastyle", embed: "mediastyle" },
  chatstyle: { image: "chatstyle" },
  genstyle: { image: "genstyle", video: "genstyle" },
  routerstyle: { image: "routerstyle", video: "routerstyle", embed: "routerstyle" },
  speechstyle: { speech: "speechstyle" },
};

export interface MediaStageOptions extends Omit<StageOptions, "providers"> {
  /** What providers of media serve besides. */
  serves?: Record<string, ServesOptions>;
  /** Those of them that are called with two keys. */
  severalKeys?: readonly string[];
  /** More providers than those of media. */
  providers?: readonly Provider[];
}

/** A gateway with models of all media, two accounts, and the simulator as every provider. */
export const startMediaStage = ({
  serves: more,
  severalKeys = [],
  providers = [],
  ...options
}: MediaStageOptions = {}): Promise<Stage> =>
  startStage({
    credit: 1e12,
    holders: [ADA, OTHER],
    catalog: createCatalog(models),
    media: {},
    ...options,
    providers: (origin) =>
      new Map(
        Object.entries({ ...serves, ...more })
          .map(([id, serves]) =>
            defineProvider(id, {
              origin,
              speaks: id === "speechstyle" ? [] : [id === "genstyle" ? "genstyle" : "chatstyle"],
              serves,
              key: severalKeys.includes(id) ? ["upstream-secret", "other-secret"] : "upstream-secret",
            }),
          )
          .concat(providers)
          .map((provider) => [provider.id, provider]),
      ),
  });
