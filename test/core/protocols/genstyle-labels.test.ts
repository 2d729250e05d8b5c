import { chatstyle, genstyle, translateRequest } from "@manifold-gateway/core";
import { expect, test } from "vitest";

const translated = (metadata: Record<string, string>) => {
  const request = { model: "m", messages: [{ role: "user" as const, content: "go" }], metadata };
  const { wire, losses } = translateRequest(request, { from: chatstyle, to: genstyle });
  return { labels: wire.labels, lost: losses.map(({ path, why }) => `${path}: ${why}`) };
};

test("labels that the vendor's billing takes are sent", () => {
  const labels = { team: "blue-2", cost_center: "", region: "日本" };
  expect(translated(labels)).toEqual({ labels, lost: [] });
});

test.each([
  ["Team", "x"],
  ["1st", "x"],
  ["team", "Blue"],
  ["team", "two words"],
  ["team", "x".repeat(64)],
])("another label is left out, because the vendor refuses requests with it: %s %s", (key, value) => {
  const lost = ["/metadata: approximated"];
  expect(translated({ [key]: value })).toEqual({ labels: undefined, lost });
  expect(translated({ [key]: value, kind: "a" })).toEqual({ labels: { kind: "a" }, lost });
});
