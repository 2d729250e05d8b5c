import { bytesOf, createTransport } from "@manifold-gateway/providers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Stage, startStage } from "../../support/stage.ts";
import { model, price } from "../../support/text.ts";

const sent: string[] = [];
let h: Stage;
beforeAll(async () => {
  const transport = createTransport();
  const entry = { provider: "chatstyle", name: "native-name", priority: 1, isActive: true, price };
  h = await startStage({
    // Asked for by the very name that its provider knows it by, or by another.
    models: ["native-name", "shown-name"].map((id) => model(id, "chatstyle", { entries: [entry] })),
    transport: {
      ...transport,
      send(request) {
        sent.push(Buffer.from(bytesOf(request.body ?? "")).toString());
        return transport.send(request);
      },
    },
  });
});
afterAll(() => h.close());

const messages = '"messages":[{"role":"user","content":"hi"}]';
it.each([
  ['"model":"dear-model"', "native-name"],
  ['"\\u006dodel":"dear-model"', "native-name"],
  ['"mode\\u006C" : "dear-model"', "native-name"],
  ['"model":"dear-model"', "shown-name"],
  ['"\\u006dodel":"dear-model"', "shown-name"],
])("a model named twice, by %s and %s, is refused", async (first, last) => {
  sent.length = 0;
  const response = await h.call(
    "/api/chatstyle/v1/chat/completions",
    `{${first},${messages},"model":"${last}"}`,
  );
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ code: "ambiguous_member" });
  expect(sent).toEqual([]);
});

it("a body that names its model once goes on as it came", async () => {
  sent.length = 0;
  const body = `{ "model" : "native-name",\n ${messages} }`;
  expect((await h.call("/api/chatstyle/v1/chat/completions", body)).status).toBe(200);
  expect(sent).toEqual([body]);
});
