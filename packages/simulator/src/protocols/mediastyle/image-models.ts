/** The abilities of an image model. Its generation stands in its name. */
export interface ImageModel {
  /** The number of reference images it takes. */
  references: number;
  needsReference?: boolean;
  tiers: string[];
  /** Least and most pixels in all; or of an edge. */
  pixels?: [number, number];
  edges?: [number, number];
  /** Makes several images at once, and streams them. */
  groups?: boolean;
  formats: ("png" | "jpeg")[];
  guidance?: boolean;
  seed?: boolean;
  /** Optimizes prompts, and fast. */
  optimizes?: boolean;
  fast?: boolean | "references";
  transparent?: boolean;
  search?: boolean;
}

const MEGA = 1024 * 1024;
const LARGE = 16 * MEGA;

const MODELS: [pattern: RegExp, model: ImageModel][] = [
  [
    /-3-0-t2i/,
    { references: 0, tiers: [], edges: [512, 2048], formats: ["jpeg"], guidance: true, seed: true },
  ],
  [
    /-3-0-i2i/,
    {
      references: 1,
      needsReference: true,
      tiers: ["adaptive"],
      edges: [1, 0],
      formats: ["jpeg"],
      guidance: true,
      seed: true,
    },
  ],
  [
    /-4-5/,
    {
      references: 14,
      tiers: ["2K", "4K"],
      pixels: [3_686_400, LARGE],
      groups: true,
      formats: ["jpeg"],
      seed: true,
      optimizes: true,
    },
  ],
  [
    /-5-0-pro/,
    {
      references: 10,
      tiers: ["1K", "1.5K", "2K"],
      pixels: [921_600, 4_624_220],
      formats: ["png", "jpeg"],
      seed: true,
      optimizes: true,
      fast: "references",
      transparent: true,
    },
  ],
  [
    /-5-0-flash/,
    {
      references: 10,
      tiers: ["1K", "1.5K", "2K"],
      pixels: [921_600, 4_624_220],
      formats: ["png", "jpeg"],
      seed: true,
      optimizes: true,
    },
  ],
  [
    /-5-0/,
    {
      references: 14,
      tiers: ["2K", "3K", "4K"],
      pixels: [3_686_400, LARGE],
      groups: true,
      formats: ["png", "jpeg"],
      seed: true,
      optimizes: true,
      search: true,
    },
  ],
  [
    /./,
    {
      references: 14,
      tiers: ["1K", "2K", "4K"],
      pixels: [921_600, LARGE],
      groups: true,
      formats: ["jpeg"],
      seed: true,
      optimizes: true,
      fast: true,
    },
  ],
];

/** The model behind a name; names of no known generation are of the fourth. */
export function imageModel(name: string): ImageModel {
  return MODELS.find(([pattern]) => pattern.test(name))![1];
}

/** The edge of a square in each tier. */
export const TIERS: Record<string, number> = {
  "1K": 1024,
  "1.5K": 1536,
  "2K": 2048,
  "3K": 3072,
  "4K": 4096,
  adaptive: 1024,
};
