import { adapters, type Wire } from "@manifold-gateway/providers";
import { describe, expect, test } from "vitest";
import { json, pieces } from "../speech/line.ts";
import { type Answers, lineTo, sample, task } from "./harness.ts";

describe("cancelling a task", () => {
  const cancel = async (answers: Answers) => {
    const { line, got } = await lineTo("mediastyle", answers);
    await adapters.video.mediastyle!.cancel!(line, "t1");
    return got.map(({ method, path }) => [method, path]);
  };

  test("cancelling a task deletes it while it waits", async () => {
    expect(await cancel([json({ status: "queued" }), json({})])).toEqual([
      ["GET", `${task}/t1`],
      ["DELETE", `${task}/t1`],
    ]);
  });

  test.each(["running", "succeeded", "failed", "cancelled", "expired", "odd"])(
    "cancelling never deletes a task that is %s",
    async (status) => {
      expect(await cancel([json({ status })])).toEqual([["GET", `${task}/t1`]]);
    },
  );
});

describe("the bytes of a video", () => {
  const content = async (wire: Wire, answers: Answers, id = "id/1") => {
    const { line, got } = await lineTo(wire, answers);
    return { opened: await adapters.video[wire]!.content!(line, id, 1), got, line };
  };

  test("the bytes of a video are fetched from the router with its key", async () => {
    const { opened, got } = await content("routerstyle", [pieces(["film"], "video/mp4")]);
    expect(got[0]).toMatchObject({ path: "/api/v1/videos/id%2F1/content?index=1" });
    expect(got[0]?.headers.authorization).toBe("Bearer speech-key");
    expect("response" in opened && (await opened.response.text())).toBe("film");
  });

  test.each([
    [409, "unavailable"],
    [410, "expired"],
    [404, "misconfigured"],
    [502, "unavailable"],
  ])("the bytes of a video that are answered %i are a failure", async (status, kind) => {
    const { opened } = await content("routerstyle", [json({ error: { message: "x" } }, status)]);
    expect(opened).toMatchObject({ trouble: { kind, status } });
  });

  /** The answers before the bytes: where the wire has to ask for their address first. */
  const stepsOf = (wire: Wire): Answers =>
    wire === "genstyle"
      ? [
          (response, got) => {
            const uri = `http://${got.headers.host}/v1beta/files/a:download?alt=media`;
            const samples = [{ video: { uri } }, { video: { uri } }];
            json({ done: true, response: { generateVideoResponse: { generatedSamples: samples } } })(
              response,
              got,
            );
          },
        ]
      : [];
  const moved = (location: string) => json({}, 302, { location });

  test.each<Wire>(["genstyle", "routerstyle"])(
    "the bytes of a video on %s are fetched with the key where the provider redirects to within its origin",
    async (wire) => {
      const answers = [...stepsOf(wire), moved("/download/a?alt=media"), pieces(["film"], "video/mp4")];
      const { opened, got } = await content(wire, answers);
      expect("response" in opened && (await opened.response.text())).toBe("film");
      expect(got.at(-1)).toMatchObject({
        path: "/download/a?alt=media",
        headers: { authorization: "Bearer speech-key" },
      });
    },
  );

  test.each<Wire>(["genstyle", "routerstyle"])(
    "of a video on %s that is elsewhere, the address is returned and no key is sent",
    async (wire) => {
      const { opened, got } = await content(wire, [...stepsOf(wire), moved("https://elsewhere.test/a?b")]);
      expect(opened).toEqual({ url: "https://elsewhere.test/a?b" });
      expect(got).toHaveLength(stepsOf(wire).length + 1);
    },
  );

  test("the bytes of a prediction are in its operation, which is read by name", async () => {
    const video = { bytesBase64Encoded: Buffer.from("film").toString("base64"), mimeType: "video/mp4" };
    const answers = [json({ done: true, response: { videos: [video, video] } })];
    const { opened, got } = await content("predictstyle", answers, "projects/p/operations/o");
    expect("response" in opened && (await opened.response.text())).toBe("film");
    expect(got).toMatchObject([
      {
        path: "/v1/models/maker%2Ftheir-model:fetchPredictOperation",
        body: { operationName: "projects/p/operations/o" },
      },
    ]);
    const stored = [json({ done: true, response: { videos: [{ gcsUri: "gs://bucket/film.mp4" }] } })];
    expect((await content("predictstyle", stored)).opened).toMatchObject({ trouble: { kind: "expired" } });
  });

  test.each(["/again", "ftp://elsewhere.test/a", "http://", undefined])(
    "a redirect of the bytes of a video to %s is a fault",
    async (location) => {
      const answer = location === undefined ? json({}, 302) : moved(location);
      await expect(content("routerstyle", [answer])).rejects.toMatchObject({ kind: "redirect" });
    },
  );

  test("the key of a provider is never sent to another with a request for bytes", async () => {
    const samples = [sample, sample];
    const done = { done: true, response: { generateVideoResponse: { generatedSamples: samples } } };
    const { opened, got } = await content("genstyle", [json(done)], "operations/o");
    expect(opened).toMatchObject({ trouble: { kind: "expired" } });
    expect(got.map(({ path }) => path)).toEqual(["/v1beta/operations/o"]);
  });
});
