import { UpstreamFault, type Wire } from "@manifold-gateway/providers";
import { describe, expect, test } from "vitest";
import { askOf, image, text } from "../../../core/operations/video/kit.ts";
import { cut, json, pieces } from "../speech/line.ts";
import { type Answers, bases, poll, submit, task } from "./harness.ts";

const wires = Object.keys(bases) as Wire[];

describe.each(wires)("videos on %s", (wire) => {
  test("a poll names the id, whatever characters it has", async () => {
    const { got } = await poll(wire, [json({})]);
    if (wire === "predictstyle") return expect(got).toMatchObject([{ body: { operationName: "id/1" } }]);
    const path =
      wire === "genstyle"
        ? "/v1beta/id/1"
        : wire === "routerstyle"
          ? "/api/v1/videos/id%2F1"
          : `${task}/id%2F1`;
    expect(got).toEqual([expect.objectContaining({ method: "GET", path })]);
  });

  test.each([
    [429, "unavailable"],
    [500, "unavailable"],
    [504, "unavailable"],
    [401, "misconfigured"],
  ])("a poll that is answered %i leaves the work as it was", async (status, kind) => {
    const { end } = await poll(wire, [json({}, status, { "retry-after": "3" })]);
    expect(end).toMatchObject({ state: "running", trouble: { kind, status, retryAfter: 3000 } });
  });

  test("a poll that is answered nonsense leaves the work as it was", async () => {
    expect((await poll(wire, [pieces(["<html>"], "text/html")])).end).toMatchObject({ state: "running" });
  });

  test("work that the provider no longer knows has failed", async () => {
    expect((await poll(wire, [json({}, 404)])).end).toMatchObject({
      state: "failed",
      trouble: { kind: "expired", status: 404 },
    });
  });

  test("a poll that is cut throws", async () => {
    await expect(poll(wire, [cut('{"', "application/json")])).rejects.toBeInstanceOf(UpstreamFault);
  });

  test.each<[string, Answers[number], string]>([
    ["cut", cut('{"id":', "application/json"), "reset"],
    ["not read", json({ status: "pending" }, 202), "encoding"],
    ["a gateway's that lost patience", json({}, 524), "timeout"],
  ])("a submit whose answer is %s is in doubt", async (_, answer, kind) => {
    await expect(submit(wire, [answer], askOf([text()]))).rejects.toMatchObject({ kind });
  });

  test.each([
    [400, "refused"],
    [401, "misconfigured"],
    [402, "misconfigured"],
    [413, "refused"],
    [429, "unavailable"],
    [500, "unavailable"],
  ])("a submit that is answered %i has failed", async (status, kind) => {
    const { end } = await submit(wire, [json({ error: { message: "why" } }, status)], askOf([text()]));
    expect(end).toMatchObject({ state: "failed", trouble: { kind, status } });
  });

  test("an unresolved asset is not sent", async () => {
    const unknown = { type: "asset", id: "k", kind: "output" } as const;
    const { end, got } = await submit(wire, [json({})], askOf([text(), image("referenceImage", unknown)]));
    expect(end).toMatchObject({ state: "failed", trouble: { kind: "refused", message: /^content\.1: / } });
    expect(got).toEqual([]);
  });
});
