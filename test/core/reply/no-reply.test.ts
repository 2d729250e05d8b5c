import { type AnyCodec, codecs, MalformedReply } from "@manifold-gateway/core";
import { convertRefusal, NoReason, noReply, openReply } from "@manifold-gateway/core/reply";
import { describe, expect, it, vi } from "vitest";
import { head } from "../../laws/fixtures.ts";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const secrets = () => ["sk-very-secret-key"];
const faultOf = (act: () => unknown): MalformedReply => {
  try {
    act();
  } catch (error) {
    if (error instanceof MalformedReply) return error;
  }
  throw new Error("nothing was thrown");
};

describe("a text in place of a reply", () => {
  it.each([
    ["Service overloaded\n\n  try   later", /: Service overloaded try later$/],
    ["<!DOCTYPE html><html><title>\n Just a moment...</title></html>", /a web page .*: Just a moment\.\.\.$/],
    ["<html><body>502</body></html>", /a web page in place of a reply\.$/],
    [": waiting\n\nevent: error\ndata: No such model\n\n", /: No such model$/],
    ["Bad key sk-very-secret-key", /: Bad key \[redacted\]$/],
    ["Incorrect key: sk-v***-key", /: Incorrect key: \[redacted\]$/],
    ["x".repeat(5_000), /: x{300}$/],
  ])("is quoted, without credentials: %j", (text, message) => {
    const fault = noReply(text, secrets);
    expect(fault.message).toMatch(message);
    expect(fault.text?.length).toBeLessThanOrEqual(2_000);
    expect(fault.text).not.toContain("secret");
  });

  it("is searched for credentials in its beginning only", () => {
    const has = vi.spyOn(Set.prototype, "has");
    noReply("x".repeat(1_000_000), secrets);
    const count = has.mock.calls.length;
    has.mockRestore();
    expect(count).toBeLessThan(20_000);
  });

  it.each(["", " \n", "data: [DONE]\n\n", '{"choices":[{"delta":{"con', "\u0000\u0001"])(
    "is not quoted where it has no words: %j",
    (text) => {
      const { message, text: kept } = noReply(text, undefined);
      expect([message, kept]).toEqual([new MalformedReply().message, undefined]);
    },
  );

  it.each(["chatstyle", "responses", "msgstyle", "genstyle"] as const)(
    "is told of a stream, however it is cut, and of a body: %s",
    (protocol) => {
      const upstream = codecs[protocol] as AnyCodec;
      for (const caller of [upstream, codecs.msgstyle, codecs.chatstyle] as AnyCodec[]) {
        const plan = { caller, upstream, translated: caller !== upstream };
        for (const text of [
          "No capacity: sk-very-secret-key",
          "No\n\ncapacity:\r\n\r\nsk-very-secret-key\n",
        ]) {
          const stream = openReply(plan, head, { secrets });
          for (const byte of encode(text)) expect(stream.push(Uint8Array.of(byte))).toBe("");
          const whole = openReply(plan, head, { secrets });
          for (const fault of [
            faultOf(() => stream.finish()),
            faultOf(() => whole.whole(200, {}, encode(text))),
          ])
            expect(fault.message).toMatch(/: No capacity: \[redacted\]$/);
        }
      }
    },
  );
});

it("nothing is left of a long refusal of a credential, which would have to be searched for parts of it", () => {
  const bytes = encode(JSON.stringify({ error: { message: "x".repeat(1_000_000) } }));
  const codec = codecs.chatstyle as AnyCodec;
  const refusal = (status: number) =>
    convertRefusal({ status, headers: {}, bytes }, codec, codecs.msgstyle as AnyCodec, { secrets });
  expect(() => refusal(401)).toThrow(NoReason);
  expect(refusal(400).failure.status).toBe(400);
});

it("a unary body of a stream has a longest length", () => {
  const [caller, upstream] = [codecs.msgstyle, codecs.chatstyle] as AnyCodec[] as [AnyCodec, AnyCodec];
  const reply = openReply({ caller, upstream, translated: true }, head, { unary: true });
  const mebibyte = new Uint8Array(1024 * 1024).fill(32);
  const fault = faultOf(() => {
    for (let at = 0; at < 40; at++) reply.push(mebibyte);
  });
  expect(fault.message).toContain("too long");
});
