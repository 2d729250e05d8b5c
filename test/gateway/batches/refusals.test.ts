import { describe, expect, it } from "vitest";
import { ADMIN } from "../../support/caller.ts";
import { OTHER_KEY } from "../../support/holder.ts";
import { startStage } from "../../support/stage.ts";
import { BATCHES, FILES, lineOf, useBatchStage } from "./stage.ts";

const set = useBatchStage({ media: { batches: { fileLines: 3, accountFiles: 20_000, liveBatches: 2 } } });
const line = JSON.stringify(lineOf("a"));
const asOther = { "x-api-key": OTHER_KEY };

describe("files that are refused", () => {
  const expectRefused = async (response: Response, status: number, text: string) => {
    const { errors } = (await response.json()) as { errors: string[] };
    expect([response.status, errors[0]]).toEqual([status, expect.stringContaining(text)]);
    expect(await set.h.json(FILES)).toMatchObject({ data: [] });
  };

  it.each([
    ["empty", "", "file: 'lines.jsonl' is empty; a batch's file has one JSON object a line"],
    ["binary", Buffer.from([0x1f, 0x8b, 0x08, 0xff, 0xfe]), "file: 'lines.jsonl' is no text in UTF-8"],
    ["another format", "id,text\n1,hello\n", "file: 'lines.jsonl' has no line that is a JSON object"],
    ["a JSON array", `[${line},\n${line}]`, "file: 'lines.jsonl' has no line that is a JSON object"],
    ["too many lines", `${line}\n`.repeat(4), "file: 'lines.jsonl' has more than 3 lines"],
    ["too many empty lines", `${line}\n\n\n \n\n`, "file: 'lines.jsonl' has more than 3 empty lines"],
  ])("%s: the error names the file and what is allowed, and nothing is stored", async (_, text, error) => {
    await expectRefused(await set.h.upload(text), 400, error);
  });

  it.each([
    [{ purpose: "assistants" }, "purpose: "],
    [{ "expires_after[anchor]": "created_at", "expires_after[seconds]": "5" }, "expires_after.seconds: "],
    [{ "expires_after[anchor]": "now", "expires_after[seconds]": "3600" }, "expires_after.anchor: "],
  ])("a field with a value that is not accepted: %j", async (fields, error) => {
    await expectRefused(await set.h.upload(line, fields as Record<string, string>), 400, error);
  });

  it("a form without a file, and files of more bytes than the account may have", async () => {
    const form = new FormData();
    form.set("purpose", "batch");
    const without = await set.h.call(FILES, undefined, { method: "POST", body: form });
    await expectRefused(without, 400, "file: ");
    const large = JSON.stringify(lineOf("a", "x".repeat(20_000)));
    await expectRefused(await set.h.upload(large), 403, "more than 20000 bytes");
  });
});

describe("batches that are refused", () => {
  it("the error names the member, and what is allowed", async () => {
    const { id } = await (await set.h.upload(line)).json();
    const { id: foreign } = await (await set.h.upload(line, {}, asOther)).json();
    const request = { input_file_id: id, endpoint: "/v1/chat/completions", completion_window: "24h" };
    const refusals: [object, string][] = [
      [
        { endpoint: "/v1/videos" },
        "endpoint: '/v1/videos' is not accepted; it must be one of '/v1/chat/completions',",
      ],
      [{ completion_window: "24" }, "completion_window: must be a number of hours"],
      [{ completion_window: "169h" }, "completion_window: '169h' is longer than '168h'"],
      [{ input_file_id: "file-1" }, "input_file_id: there is no file 'file-1'"],
      [{ input_file_id: foreign }, `input_file_id: there is no file '${foreign}'`],
      [{ metadata: { a: 1 } }, "metadata.a: "],
    ];
    for (const [change, text] of refusals) {
      const { errors } = await set.h.json(BATCHES, { ...request, ...change }, 400);
      expect(errors[0]).toContain(text);
    }
    expect(await set.h.json(BATCHES)).toMatchObject({ data: [], has_more: false });
    await set.h.json(`${FILES}?after=file-1`, undefined, 400);
    await set.h.json(`${FILES}?purpose=answers`, undefined, 400);
    await set.h.json(`${BATCHES}?after=batch_1`, undefined, 400);
    for (const one of [id, foreign]) {
      const headers = one === foreign ? asOther : {};
      await set.h.json(`${FILES}/${one}`, undefined, 200, { method: "DELETE", headers });
    }
  });

  it("another account finds neither file nor batch; a running one keeps its file, and only so many run", async () => {
    const slow = lineOf("a", "[[fault:delay=300]]");
    const batches = [await set.h.begin([slow]), await set.h.begin([slow])];
    const [{ id, input_file_id: input }] = batches;
    for (const path of [`${FILES}/${input}`, `${FILES}/${input}/content`, `${BATCHES}/${id}`])
      expect((await set.h.call(path, undefined, { headers: asOther })).status).toBe(404);
    for (const [path, method] of [
      [`${BATCHES}/${id}/cancel`, "POST"],
      [`${FILES}/${input}`, "DELETE"],
      // Nor does the other surface.
      [`/api/msgstyle/v1/messages/batches/${id}`, "GET"],
    ])
      expect(
        (
          await set.h.call(path!, undefined, {
            method: method!,
            headers: path!.includes("msg") ? {} : asOther,
          })
        ).status,
      ).toBe(404);
    await set.h.json(`${FILES}/${input}`, undefined, 409, { method: "DELETE" });
    const request = { input_file_id: input, endpoint: "/v1/chat/completions", completion_window: "1h" };
    expect(await set.h.json(BATCHES, request, 429)).toMatchObject({ code: "too_many_batches" });
    for (const batch of batches) await set.h.ended(batch.id);
    for (const batch of batches)
      await set.h.json(`${FILES}/${batch.input_file_id}`, undefined, 200, { method: "DELETE" });
  });

  it("requests with one name twice are refused as a whole on the messages surface", async () => {
    const request = { custom_id: "a", params: {} };
    const path = "/api/msgstyle/v1/messages/batches";
    const refused = await set.h.json(
      path,
      { requests: [request, { ...request, custom_id: "b" }, request] },
      400,
    );
    expect(refused.errors[0]).toContain("requests.2.custom_id: 'a' occurs twice");
    expect(await set.h.json(path)).toMatchObject({ data: [] });
  });
});

it("refused lines and wrong ones are found by their batch, by its account and by operators", async () => {
  const refused = lineOf("a", "Say hello.", { model: "none" });
  const unnamed = { ...lineOf("c"), custom_id: undefined };
  const [batch, other] = [
    await set.h.begin([refused, lineOf("b"), unnamed]),
    await set.h.begin([refused, "{", unnamed]),
  ];
  for (const { id } of [batch, other]) await set.h.ended(id);
  const asOperator = { headers: { "x-admin-key": ADMIN } };
  for (const { id } of [batch, other])
    for (const [surface, headers] of [["compat/v1"], ["admin", asOperator]] as const) {
      const path = `/api/${surface}/refusals?batch=${id}`;
      const { results } = await set.h.json(path, undefined, 200, headers);
      const missing = {
        code: "invalid_custom_id",
        message: expect.stringContaining("custom_id: is missing"),
      };
      const broken = id === other.id ? [{ requestId: `${id}/2`, code: "invalid_json_line" }] : [];
      // Wrong lines are found before any is run.
      expect(results).toMatchObject([
        { requestId: `${id}/1`, code: "model_not_found" },
        { requestId: `${id}/3`, surface: "chatstyle", status: 400, ...missing },
        ...broken,
      ]);
      expect((await set.h.json(`${path.slice(0, -1)}`, undefined, 200, headers)).results).toEqual([]);
    }
});

it("a list of the vendor's other files is empty, and what is null counts as absent", async () => {
  const { input_file_id: input, id } = await set.h.begin([lineOf("a")], { output_expires_after: null });
  expect((await set.h.ended(id)).batch).toMatchObject({ status: "completed", input_file_id: input });
  expect((await set.h.json(`${FILES}?purpose=batch`)).data).not.toEqual([]);
  expect(await set.h.json(`${FILES}?purpose=user_data`)).toMatchObject({ data: [], has_more: false });
});

it("a gateway without files says so", async () => {
  const bare = await startStage({ listens: false });
  for (const path of [FILES, BATCHES, `${BATCHES}/batch_1`, "/api/msgstyle/v1/messages/batches"])
    expect(await bare.json(path, undefined, 503)).toMatchObject({ code: "media_not_served" });
  await bare.close();
});
