import { codecs, translateRequest } from "@manifold-gateway/core";
import { describe, expect, it } from "vitest";

const { msgstyle } = codecs;
const pdf = "application/pdf";

/** The names under which a document of the messages wire reaches providers of the other family. */
function nameOn(
  to: typeof codecs.chatstyle | typeof codecs.responses,
  title: string | undefined,
  type: string,
) {
  const source = { type: "base64", media_type: type, data: "JVBERi0xLjQK" };
  const content = [{ type: "document", ...(title !== undefined && { title }), source }];
  const { wire, losses } = translateRequest(
    { model: "m", max_tokens: 99, messages: [{ role: "user", content }] },
    { from: msgstyle, to },
  );
  const [, name] = /"filename":"([^"]*)"/.exec(JSON.stringify(wire)) ?? [];
  return { name, losses: losses.map(({ path }) => path) };
}

describe.each([codecs.chatstyle, codecs.responses])("a document on $protocol", (to) => {
  it.each([
    ["Quarterly report", "Quarterly report.pdf"],
    ["Report v1.2", "Report v1.2.pdf"],
    ["Minutes. Final", "Minutes. Final.pdf"],
  ])("gets the extension of its type if its title %j has none", (title, name) => {
    expect(nameOn(to, title, pdf)).toEqual({ name, losses: ["/messages/0/content/0/title"] });
  });

  it.each([
    ["report.pdf", pdf],
    ["Report.PDF", pdf],
    ["table", "application/x-unknown"],
  ])("keeps the name %j", (title, type) => {
    expect(nameOn(to, title, type)).toEqual({ name: title, losses: [] });
  });

  it("has a name of its type without a title", () =>
    expect(nameOn(to, undefined, pdf)).toEqual({ name: "document.pdf", losses: [] }));
});

it("a file of text keeps an extension that is not known", () => {
  expect(nameOn(codecs.responses, "main.rs", "text/plain").name).toBe("main.rs");
  expect(nameOn(codecs.responses, "Notes", "text/plain").name).toBe("Notes.txt");
});
