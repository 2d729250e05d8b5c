import { nativeImageSchema, nativeVideoSchema } from "@manifold-gateway/core/operations";
import { expect, test } from "vitest";
import { knownParams } from "../../../packages/core/src/capability/fields.ts";
import { speechBodies } from "../../../packages/core/src/operations/speech/schema.ts";

/** Members of bodies that are no parameters. */
const others = ["model", "content"];

test.each([
  ["image", [nativeImageSchema]],
  ["video", [nativeVideoSchema]],
  ["speech", Object.values(speechBodies)],
] as const)(
  "the known parameters of an operation are the members of its native bodies: %s",
  (operation, bodies) => {
    const members = new Set(bodies.flatMap(({ shape }) => Object.keys(shape)));
    for (const name of others) members.delete(name);
    expect([...knownParams[operation]].sort()).toEqual([...members].sort());
  },
);
