import { describe, expect, it } from "vitest";
import { PROTOCOLS } from "../../support/text.ts";
import { scripted } from "./scripted.ts";

const set = scripted();

describe.each(PROTOCOLS)("an error of %s that is not JSON", (protocol) => {
  it.each([429, 503])("a plain-text error keeps its status and its words: %s", async (status) => {
    set.tell({ status, text: " Too many\n requests, slow down. ", headers: { "retry-after": "7" } });
    for (const stream of [false, true]) {
      const response = await set.ask("chatstyle", protocol, stream);
      expect(response.status).toBe(status);
      expect(response.headers.get("retry-after")).toBe("7");
      expect((await response.json()).error.message).toBe("Too many requests, slow down.");
    }
  });

  it.each(["", "\n", "<html><body>Sign in</body></html>", "\u0000\u0001", "\ufffd\ufffd"])(
    "an empty error is a 502 in the envelope: %j",
    async (text) => {
      set.tell({ status: 429, text });
      const response = await set.ask("chatstyle", protocol, false);
      expect(response.status).toBe(502);
      expect(await response.json()).toMatchObject({ success: false });
    },
  );
});
