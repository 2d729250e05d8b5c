import { createRequire } from "node:module";
import { hashPassword, isPassword } from "@manifold-gateway/gateway/admin";
import { expect, it } from "vitest";

it("a password is checked against its own hash alone, with the library of argon2 and where there is none", async () => {
  // The library itself: what tests import by its name is a quick one.
  const library = createRequire(import.meta.url)("@node-rs/argon2");
  const kinds = await Promise.all(
    [library, undefined].map((one) => hashPassword("open sesame", async () => one)),
  );
  expect(kinds[0]).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(kinds[1]).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$/);
  for (const hash of kinds) {
    expect(await isPassword("open sesame", hash)).toBe(true);
    expect(await isPassword("open barley", hash)).toBe(false);
  }
});

it("nobody has the password of a hash that is none", async () => {
  const salt = "A".repeat(22);
  const hashes = ["", "$scrypt$ln=15", `$scrypt$ln=99,r=8,p=1$${salt}$${"A".repeat(43)}`, "$argon2id$v=19$x"];
  for (const hash of hashes) expect(await isPassword("open sesame", hash)).toBe(false);
});

it("a password that cannot be checked for want of argon2 is not called wrong", async () => {
  const without = async () => undefined;
  const hash = await hashPassword("open sesame");
  await expect(isPassword("open sesame", hash, without)).rejects.toThrow("argon2 is not available");
  const byScrypt = await hashPassword("open sesame", without);
  expect(await isPassword("open sesame", byScrypt, without)).toBe(true);
});
