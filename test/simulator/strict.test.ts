import { expect, test } from "vitest";
import { PNG, stage } from "./setup.ts";
import { chatstyle } from "./strict/chatstyle.ts";
import { genstyle, gs, hi, response, turn } from "./strict/genstyle.ts";
import { msgstyle } from "./strict/msgstyle.ts";
import { responses } from "./strict/responses.ts";

const set = stage();

const expected = (says: string | RegExp): unknown =>
  typeof says === "string" ? says : expect.stringMatching(says);
const message = (body: { error: { message: string } }): string => body.error.message;

for (const [protocol, { path, base, rows }] of Object.entries({ chatstyle, responses, msgstyle, genstyle }))
  test.each(rows)(`${protocol} refuses %s`, async (_, given, says) => {
    expect((await set.post(path, base)).status).toBe(200);
    const answer = await set.post(path, { ...base, ...given });
    const body = await answer.json();
    expect([answer.status, message(body)]).toEqual([400, expected(says)]);
  });

test("older servers of generate-content know no call ids, and require no signatures", async () => {
  const path = "/v1beta/models/sim-text-old:generateContent";
  const unsigned = { functionCall: { name: "f", args: {} } };
  const body = (part: object) => gs(hi, turn("model", part), turn("user", response()));
  expect((await set.post(path, body(unsigned))).status).toBe(200);
  const answer = await set.post(path, body({ functionCall: { name: "f", id: "c1" } }));
  expect(message(await answer.json())).toContain('Unknown name "id"');
});

test("a signature is required in the current turn only", async () => {
  const unsigned = turn("model", { functionCall: { name: "f" } });
  const contents = gs(hi, unsigned, turn("user", response()), turn("model", { text: "a" }), hi);
  expect((await set.post(genstyle.path, contents)).status).toBe(200);
});

test("messages need a version header, and the newest version has no sampling fields", async () => {
  const without = await set.post(msgstyle.path, msgstyle.base, { "anthropic-version": "" });
  expect([without.status, message(await without.json())]).toEqual([
    400,
    "anthropic-version: header is required",
  ]);
  const cool = { ...msgstyle.base, temperature: 0.5 };
  expect((await set.post(msgstyle.path, cool)).status).toBe(200);
  const newest = await set.post(msgstyle.path, cool, { "anthropic-version": "2026-10-21" });
  expect(message(await newest.json())).toBe("temperature: Extra inputs are not permitted");
});

test("a seal of one vendor's server is refused by another's", async () => {
  const thinking = { thinking: { type: "enabled", budget_tokens: 1024 } };
  const thought = (await (await set.post(msgstyle.path, { ...msgstyle.base, ...thinking })).json())
    .content[0];
  const answer = await set.post(
    genstyle.path,
    gs(hi, turn("model", { text: "a", thoughtSignature: thought.signature }), hi),
  );
  expect(message(await answer.json())).toBe("Thought signature is not valid.");
});

const embedPath = "/v1beta/models/sim-embed";
const embeds: [path: string, body: object, says: string | RegExp][] = [
  ["/embeddings", { input: "a" }, "Missing required parameter: 'model'."],
  ["/embeddings", { model: "m", input: "a", provider: {} }, "Unknown parameter: 'provider'."],
  ["/embeddings", { model: "m", input: [] }, /^Invalid 'input': empty array/],
  ["/embeddings", { model: "m", input: "a", encoding_format: "hex" }, /^Invalid value: 'hex'/],
  [`${embedPath}:embedContent`, { contents: "a" }, /Unknown name "contents"/],
  [
    `${embedPath}:embedContent`,
    { content: { parts: [{ text: "a" }] }, outputDimensionality: 9999 },
    /at most 3072/,
  ],
  [
    `${embedPath}:embedContent`,
    { content: { parts: [{ inlineData: { mimeType: "image/png", data: PNG } }] } },
    /embeds text only/,
  ],
  [
    `${embedPath}:batchEmbedContents`,
    { requests: [{ content: { parts: [{ text: "a" }] } }] },
    /requests\[0\].model/,
  ],
  [`${embedPath}:batchEmbedContents`, { requests: [] }, /requests is not specified/],
];

test.each(embeds)("embeddings at %s refuse %j", async (path, body, says) => {
  const answer = await set.post(path, body);
  expect([answer.status, message(await answer.json())]).toEqual([400, expected(says)]);
});
