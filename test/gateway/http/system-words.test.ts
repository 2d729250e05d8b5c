import { messageOf } from "@manifold-gateway/gateway/admin";
import { expect, it } from "vitest";

const coded = (message: string, code: string, more: object = {}): Error =>
  Object.assign(new Error(message), { code, ...more });
const SYSTEM = coded("EACCES: permission denied, access '/srv/calls'", "EACCES", { syscall: "access" });
const REFUSED = coded("connect ECONNREFUSED 127.0.0.1:9", "ECONNREFUSED", { syscall: "connect" });
const AWAY = "The provider could not be reached.";

it.each<[unknown, string]>([
  [SYSTEM, "this user may not (EACCES)"],
  [new TypeError("fetch failed", { cause: REFUSED }), "nothing accepts connections there (ECONNREFUSED)"],
  [
    new Error(AWAY, { cause: REFUSED }),
    "The provider could not be reached: nothing accepts connections there (ECONNREFUSED)",
  ],
  [new Error(AWAY, { cause: coded("odd words", "ERR_ODD") }), "The provider could not be reached: ERR_ODD"],
  [new Error("it is away: old", { cause: new Error("old") }), "it is away: old"],
  [new Error("our words"), "our words"],
  ["text", "text"],
])("operators read %s in plain words with the code", (error, words) => {
  expect(messageOf(error)).toBe(words);
});
