import { byteTools, portableBytes, replyBytes } from "@manifold-gateway/core/reply";
import fc from "fast-check";
import { expect, it } from "vitest";

const portable = portableBytes();
const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 64 }),
  fc.string({ unit: "binary" }).map((text) => new TextEncoder().encode(text)),
  fc.string({ unit: "binary-ascii" }).map((text) => new TextEncoder().encode(text)),
);

it("the tools for bytes of every runtime do what those of this one do", () => {
  expect(byteTools.isAscii).not.toBe(portable.isAscii);
  fc.assert(
    fc.property(bytes, fc.string({ unit: "binary" }), (some, text) => {
      const latin1 = portable.toLatin1(some);
      expect(latin1).toBe(byteTools.toLatin1(some));
      expect([...portable.ofLatin1(latin1)]).toEqual([...some]);
      expect([...byteTools.ofLatin1(latin1)]).toEqual([...some]);
      expect([...replyBytes(latin1, "latin1")]).toEqual([...some]);
      expect(portable.decodeLatin1(latin1)).toBe(byteTools.decodeLatin1(latin1));
      expect(portable.isAscii(some)).toBe(byteTools.isAscii(some));
      expect(portable.isUtf8(some)).toBe(byteTools.isUtf8(some));
      expect(portable.lengthOf(text)).toBe(byteTools.lengthOf(text));
    }),
  );
});

it("a byte order mark and long bytes stay as they are", () => {
  const marked = "\u00ef\u00bb\u00bfa";
  for (const tools of [portable, byteTools]) {
    expect(tools.decodeLatin1(marked)).toBe("\ufeffa");
    const long = Uint8Array.from({ length: 100_000 }, (_, at) => at % 256);
    expect(Buffer.from(tools.toLatin1(long), "latin1").equals(long)).toBe(true);
  }
});
