/** Units of media work, by the names that prices use. `imageInput` is a part of `input`, `imageOutput` of `output`. */
export interface MediaCounts {
  /** Tokens of the request. */
  input?: number;
  /** Tokens of the request's images. */
  imageInput?: number;
  /** Generated tokens. */
  output?: number;
  /** Generated tokens of images. */
  imageOutput?: number;
  /** Pictures. */
  images?: number;
  /** Seconds of video or sound. */
  seconds?: number;
  /** Jobs, where each has a price. */
  requests?: number;
}

/** Micro-USD per 1,000,000 units. */
export type MediaPrice = { readonly [unit in keyof MediaCounts]?: number };

/** Whether a price counts tokens. */
export const hasTokenRate = ({
  input = 0,
  imageInput = 0,
  output = 0,
  imageOutput = 0,
}: MediaPrice): boolean => input + imageInput + output + imageOutput > 0;

type Fact = string | number | boolean;

/** Facts that prices may depend on, by name. */
export type Facts = Readonly<Record<string, Fact | undefined>>;

/** The names of the facts about requests for pictures and for videos. */
export const factNames = {
  image: ["size", "quality", "references", "pixels"],
  video: ["resolution", "ratio", "duration", "generateAudio", "imageInput", "videoInput", "audioInput"],
} as const;

/** The facts about a request for one of these. */
export type FactsOf<Kind extends keyof typeof factNames> = {
  readonly [name in (typeof factNames)[Kind][number]]?: Fact | undefined;
};

/** A price, and what has to be so for it to count. Numbers may be bounded: `{ above: 2_360_000 }`. */
export interface Tier<Price> {
  /** Conditions by the name of the fact: a value, one of several, or bounds. Absent: always. */
  when?: Readonly<Record<string, Fact | readonly Fact[] | { above?: number; upTo?: number }>>;
  /** The price where all conditions hold. */
  price: Price;
}

/** The price of the first tier whose conditions all hold. */
export function tierOf<Price>(tiers: readonly Tier<Price>[], facts: Facts): Price | undefined {
  return tiers.find(({ when = {} }) =>
    Object.entries(when).every(([name, wanted]) => {
      const fact = facts[name];
      if (fact === undefined) return false;
      if (Array.isArray(wanted)) return wanted.includes(fact);
      if (typeof wanted !== "object") return fact === wanted;
      const { above = -Infinity, upTo = Infinity } = wanted as { above?: number; upTo?: number };
      return typeof fact === "number" && fact > above && fact <= upTo;
    }),
  )?.price;
}
