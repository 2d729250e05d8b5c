import { join } from "node:path";
import { createCatalog } from "@manifold-gateway/gateway";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launch, missing, type Pages } from "../../console/browser.ts";
import { KEY } from "../../support/holder.ts";
import { type Listening, listen } from "../../support/listen.ts";
import { startMediaStage } from "../../support/media.ts";
import { models } from "../../support/media-models.ts";
import type { Stage } from "../../support/stage.ts";
import { textModels } from "../../support/text.ts";
import { bundleForPage } from "./bundle.ts";

/** Two sites that are no gateway: pages of the first may call it. */
const site = (): Promise<Listening> =>
  listen(
    (_, response) => void response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html>"),
  );

describe.skipIf(missing)(`pages of other origins than the gateway's ${missing ?? ""}`, () => {
  let listed: Listening;
  let unlisted: Listening;
  let stage: Stage;
  let browser: Pages;
  let code: string;
  beforeAll(async () => {
    listed = await site();
    unlisted = await site();
    const catalog = createCatalog([...models, ...textModels]);
    stage = await startMediaStage({ catalog, corsOrigins: [listed.origin] });
    code = await bundleForPage(join(import.meta.dirname, "programs/page.ts"));
    browser = await launch();
  });
  afterAll(async () => {
    await browser?.close();
    for (const one of [stage, listed, unlisted]) await one?.close();
  });

  async function inPage({ origin }: Listening, name: string): Promise<unknown> {
    const page = await (await browser.newContext()).newPage();
    await page.goto(origin);
    const module = `URL.createObjectURL(new Blob([${JSON.stringify(code)}], { type: "text/javascript" }))`;
    return page.evaluate(`import(${module}).then((program) => program.${name}("${stage.origin}", "${KEY}"))`);
  }

  it("get answers, streams, errors, headers, jobs and files where their origin is listed", async () => {
    expect(await inPage(listed, "answersAt")).toEqual({
      whole: "You said: Hello",
      streamed: "You said: Hello",
      aborted: true,
      unknown: [400, expect.stringContaining("'nothing' is not a model")],
      busy: [429, expect.any(String)],
      headers: [],
      job: "succeeded",
      picture: [true, "image/jpeg"],
      file: ["{}", true],
      unauthorized: [401, expect.stringContaining("API key")],
    });
  });

  it("are told by the client what may be the cause where it is not", async () => {
    expect(await inPage(unlisted, "refusedAt")).toEqual([
      502,
      expect.stringContaining("does not let pages of this origin call it"),
    ]);
  });
});
