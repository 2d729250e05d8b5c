import {
  chatstyleSpeak,
  nativeImageSchema,
  nativeTranscription,
  nativeVideoSchema,
} from "@manifold-gateway/core/operations";
import { expect, test } from "vitest";
import { knownParams } from "../../../packages/core/src/capability/fields.ts";
import { speechBodies } from "../../../packages/core/src/operations/speech/schema.ts";

/** Members of bodies that are no parameters. */
const others = ["model", "content"];

const membersOf = (bodies: readonly { shape: object }[]): string[] =>
  bodies.flatMap(({ shape }) => Object.keys(shape));

test.each([
  ["image", membersOf([nativeImageSchema])],
  ["video", membersOf([nativeVideoSchema])],
  // Speech while its caller waits has parameters of its own.
  ["speech", [...membersOf(Object.values(speechBodies)), ...Object.keys(chatstyleSpeak.facts.params)]],
  // The other interfaces name the form of a transcript, which the native one does not.
  ["transcription", ["task", "responseFormat", ...Object.keys(nativeTranscription.facts.params)]],
] as const)(
  "the known parameters of an operation are the members of its native bodies: %s",
  (operation, named) => {
    const members = new Set<string>(named);
    for (const name of others) members.delete(name);
    expect([...knownParams[operation]].sort()).toEqual([...members].sort());
  },
);
