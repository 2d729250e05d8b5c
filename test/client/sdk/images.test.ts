import { describe, expect, it } from "vitest";
import { drivers } from "./drivers/index.ts";
import { failureOf, world } from "./world.ts";

/** The SDKs that have images. */
const painters = drivers.flatMap(({ name, wire, draw, thrown }) =>
  draw ? [{ name, wire, draw, thrown }] : [],
);
const prompt = "A house";
/** A PNG or a JPEG in base64. */
const PICTURE = /^(iVBORw0KGgo|\/9j\/)/;
/** An alias of each service by which SDKs know that the model takes no `response_format`. */
const aliasOf = (service: string): string => `gpt-image-1-${service}`;

/** Services of images at the simulator, by their wires. That of `mediastyle` answers with an address. */
const services = Object.fromEntries(
  ["chatstyle", "genstyle", "mediastyle", "routerstyle"].map((wire) => [
    `image-${wire}`,
    {
      origin: "http://provider.test",
      speaks: ["chatstyle" as const],
      serves: { image: wire as "chatstyle" },
      key: "provider-key",
    },
  ]),
);

describe.each(painters.filter(({ wire }) => wire !== "genstyle"))("$name", ({ draw, thrown }) => {
  it.each(Object.keys(services))("gets a picture of the service %s", async (service) => {
    const models = { [aliasOf(service)]: `${service}/sim-image` as const };
    const { send, options, simulator } = world({ models } as object, services);
    const picture = await draw({ send, options, model: aliasOf(service), prompt });
    expect(picture).toMatch(PICTURE);
    const generations = simulator.ledger.entries.filter(({ operation }) => operation !== "file");
    expect(generations).toMatchObject([{ operation: "image", status: 200 }]);
  });

  it.each([
    ["nowhere/sim-image", 404, "nowhere"],
    ["sim-image", 404, "models"],
    ["openai/gpt-image-1", 401, "OPENAI_API_KEY"],
  ])("gets an error of its own class for %s, and nothing is sent", async (model, status, names) => {
    const { send, options, simulator } = world({}, services);
    const failure = thrown(await failureOf(draw({ send, options, model, prompt })));
    expect(failure).toMatchObject({ kind: expect.any(String), status });
    expect(failure.message).toContain(names);
    expect(simulator.ledger.entries).toEqual([]);
  });
});

describe.each(painters.filter(({ wire }) => wire === "genstyle"))("$name", ({ draw }) => {
  it("gets a picture in the answer of a model that speaks", async () => {
    const { send, options } = world();
    expect(await draw({ send, options, model: "genstyle/sim-image", prompt })).toMatch(PICTURE);
  });
});
