/** Words, a picture and a film in one space: the nearest to each other, as a table one can open. */
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { samples } from "@manifold-gateway/simulator";
import { openStudio } from "./support/studio.ts";

interface List {
  data: { embedding: number[] }[];
  usage: { prompt_tokens: number };
}

const base64 = (bytes: Buffer): string => bytes.toString("base64");
const inputs: [name: string, input: unknown][] = [
  ["words", "a lighthouse at dusk"],
  ["the same words", "a lighthouse at dusk"],
  [
    "a picture",
    { content: [{ type: "imageBase64", data: base64(samples.png(320, 240)), mediaType: "image/png" }] },
  ],
  [
    "a film",
    {
      content: [
        {
          type: "videoBase64",
          data: base64(samples.mp4({ w: 320, h: 240, seconds: 2, fps: 24 })),
          mediaType: "video/mp4",
        },
      ],
    },
  ],
];

const studio = await openStudio();
try {
  process.stdout.write(`embedding ${inputs.length} inputs … `);
  const { data, usage } = await studio.ask<List>("msgstyle/v1/embeddings", {
    model: "vectors",
    input: inputs.map(([, input]) => input),
  });
  console.log(`${usage.prompt_tokens} tokens, ${data[0]?.embedding.length} numbers each`);
  const vectors = data.map(({ embedding }) => embedding);
  const dot = (a: number[], b: number[]): number => a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
  const near = (a: number[], b: number[]): number => dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
  const lines = vectors.map((one, i) =>
    [inputs[i]?.[0], ...vectors.map((other) => near(one, other).toFixed(3))].join(","),
  );
  const out = join(import.meta.dirname, "data");
  mkdirSync(out, { recursive: true });
  writeFileSync(
    join(out, "likeness.csv"),
    `${["", ...inputs.map(([name]) => name)].join(",")}\n${lines.join("\n")}\n`,
  );
  console.log(lines.join("\n"));
  const [words = [], same = [], picture = []] = vectors;
  assert.ok(near(words, same) > 0.999);
  assert.ok(near(words, picture) < 0.999);
} finally {
  await studio.close();
}
