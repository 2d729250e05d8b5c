import { answeredImage } from "../answered.ts";
import { isSized } from "../sized.ts";
import { encode, shapeOfSize } from "./encode.ts";

/** Pictures of vendors that have ratios in place of sizes, and addresses in JSON. */
export const ratiostyleImage = answeredImage({
  wire: "ratiostyle",
  encode,
  fault: ({ model, size }) =>
    isSized(size) && !shapeOfSize(size)
      ? `size: no ratio and size of the model '${model}' is close to ${size}`
      : undefined,
});
