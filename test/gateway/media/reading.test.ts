import { protocols } from "@manifold-gateway/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bodyLimits } from "../../../packages/gateway/src/http/body.ts";
import type { Exchange, PieceCounter } from "../../../packages/gateway/src/http/exchange.ts";
import { isForm, readForm } from "../../../packages/gateway/src/http/form.ts";
import { createUrlJudge } from "../../../packages/gateway/src/media/address.ts";

type Field = readonly [name: string, value: string | Blob];

async function exchangeOf(fields: readonly Field[]): Promise<Exchange> {
  const form = new FormData();
  for (const [name, value] of fields)
    if (typeof value === "string") form.append(name, value);
    else form.append(name, value, "a.png");
  const request = new Request("http://x/", { method: "POST", body: form });
  const bytes = new Uint8Array(await request.arrayBuffer());
  const type = request.headers.get("content-type") ?? "";
  return {
    header: (name: string) => (name === "content-type" ? type : undefined),
    async body(_: number, counter?: PieceCounter) {
      counter?.add(bytes);
      return bytes;
    },
  } as unknown as Exchange;
}
const readOf = (exchange: Exchange) => readForm(exchange, bodyLimits, { add() {} }, protocols);
const read = async (fields: readonly Field[]) => (await readOf(await exchangeOf(fields))).value;

const name = fc.stringMatching(/^[A-Za-z]\w{0,12}$/);
// A form writes every line end as two characters.
const text = fc.string({ unit: "grapheme" }).filter((value) => !/[\r\n]/.test(value));

describe("a form", () => {
  it("a form is the object that its fields, members and items describe", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(name, { minLength: 3, maxLength: 3 }),
        text,
        fc.array(text, { minLength: 1, maxLength: 4 }),
        fc.uniqueArray(fc.tuple(name, text), { selector: ([one]) => one, minLength: 1, maxLength: 4 }),
        async ([plain = "", list = "", object = ""], value, items, members) => {
          const fields: Field[] = [
            [plain, value],
            ...items.map((item): Field => [`${list}[]`, item]),
            ...members.map(([member, one]): Field => [`${object}[${member}]`, one]),
          ];
          expect(await read(fields)).toEqual({
            [plain]: value,
            [list]: items,
            [object]: Object.fromEntries(members),
          });
        },
      ),
      { numRuns: 60 },
    );
  });

  it("a form holds files in base64, with their type and name", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
        const { image } = await read([
          ["image", new Blob([bytes as Uint8Array<ArrayBuffer>], { type: "image/png" })],
        ]);
        expect(image).toEqual({
          data: Buffer.from(bytes).toString("base64"),
          mediaType: "image/png",
          filename: "a.png",
        });
      }),
      { numRuns: 40 },
    );
  });

  it.each([
    [
      "a field twice",
      [
        ["a", "1"],
        ["a", "2"],
      ],
    ],
    [
      "a member twice",
      [
        ["a[b]", "1"],
        ["a[b]", "2"],
      ],
    ],
    [
      "a field that is a list too",
      [
        ["a", "1"],
        ["a[]", "2"],
      ],
    ],
    [
      "a member of a text",
      [
        ["a", "1"],
        ["a[b]", "2"],
      ],
    ],
    ["members of members", [["a[b][c]", "1"]]],
    ["the prototype", [["__proto__", "1"]]],
    ["no name", [["", "1"]]],
    ["more fields than any request has", Array.from({ length: 300 }, (_, i) => [`a${i}`, "1"] as const)],
  ] as [string, Field[]][])("a form is refused with %s", async (_, fields) => {
    await expect(read(fields)).rejects.toMatchObject({ status: 400 });
  });

  it("a body that is not a form is refused", async () => {
    const bytes = new Uint8Array([1, 2, 3]);
    const body: Exchange["body"] = async (_, counter) => {
      counter?.add(bytes);
      return bytes;
    };
    const broken = { ...(await exchangeOf([["a", "1"]])), body };
    expect(isForm(broken)).toBe(true);
    await expect(readOf(broken)).rejects.toMatchObject({ status: 400 });
  });
});

describe("addresses that a caller names", () => {
  const faultOf = createUrlJudge(["10.9.0.0/16"]);
  it.each([
    "https://files.example.com/a.png",
    "http://93.184.216.34/a",
    "https://a.example:8443/",
    "http://10.9.1.1/a",
    "https://[2606:4700::1]/a",
  ])("an address may be %s", (url) => expect(faultOf(url)).toBeUndefined());
  it.each([
    "ftp://files.example.com/a",
    "nothing",
    "https://user:secret@files.example.com/a",
    "https://files.example.com:22/a",
    "http://localhost/a",
    "http://a.localhost/a",
    "http://printer/a",
    "http://db.internal/a",
    "http://127.0.0.1/a",
    "http://2130706433/a",
    "http://0x7f.1/a",
    "http://10.0.0.1/a",
    "http://169.254.169.254/latest",
    "http://[::1]/a",
    "http://[::ffff:127.0.0.1]/a",
    "http://[fd00::1]/a",
    "http://0.0.0.0/a",
  ])("an address may not be %s", (url) => expect(faultOf(url)).toMatch(/^must /));

  it("an internal address is refused, however its IPv4 is written", () => {
    const inside = fc
      .tuple(fc.constantFrom(10, 127, 0), fc.nat(255), fc.nat(255), fc.nat(255))
      .filter(([a, b]) => !(a === 10 && b === 9));
    fc.assert(
      fc.property(inside, fc.constantFrom("dots", "whole", "hex", "mapped"), ([a, b, c, d], form) => {
        const whole = ((a * 256 + b) * 256 + c) * 256 + d;
        const host = {
          dots: `${a}.${b}.${c}.${d}`,
          whole: `${whole}`,
          hex: `0x${whole.toString(16)}`,
          mapped: `[::ffff:${a}.${b}.${c}.${d}]`,
        }[form];
        expect(faultOf(`http://${host}/a`)).toBe("must be on the public internet");
      }),
    );
  });
});
