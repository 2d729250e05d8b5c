import * as z from "zod";

/** Numbers from `min` to `max`, both of them included; a missing end is open. */
export const boundsSchema = z
  .strictObject({ min: z.number(), max: z.number() })
  .partial()
  .refine(({ min, max }) => min === undefined || max === undefined || min <= max, {
    path: ["max"],
    message: "is below min",
  });

/** The rule for the width and height of a picture. */
export const shapeSchema = z.strictObject({
  multipleOf: z.int().min(1).optional().describe("Each edge is a multiple of it."),
  edge: boundsSchema.optional().describe("Pixels of each edge."),
  pixels: boundsSchema.optional().describe("Width times height."),
  ratio: z.number().min(1).optional().describe("The long edge is at most so many times the short one."),
});
export type Shape = z.output<typeof shapeSchema>;
