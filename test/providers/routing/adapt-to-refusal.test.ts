import type { Provider, UpstreamProtocol, UpstreamResponse } from "@manifold-gateway/providers";
import { createFetchTransport, type Transport } from "@manifold-gateway/providers/fetch-transport";
import { defineProvider } from "@manifold-gateway/providers/identity";
import { adaptToRefusal, createLearntTraits, traitsOf } from "@manifold-gateway/providers/routing";
import { expect, it } from "vitest";

interface Plan {
  resolution: { entry: { provider: string; name: string }; provider: Provider; protocol: UpstreamProtocol };
  body: string;
}

const provider = defineProvider("p", { origin: "https://p.test", speaks: ["chatstyle"], key: "secret-key" });
const resolution = { entry: { provider: "p", name: "m" }, provider, protocol: "chatstyle" } as const;

/** A program whose requests have these settings, unless the model is known to refuse them. */
function program(settings: readonly string[], refused: (body: string) => string | undefined) {
  const learnt = createLearntTraits(() => 0);
  const bodies: string[] = [];
  const transport: Transport = createFetchTransport({
    fetch: async (request) => {
      const body = await request.text();
      bodies.push(body);
      const message = refused(body);
      return message === undefined
        ? Response.json({ ok: true })
        : Response.json({ error: { message } }, { status: 400 });
    },
  });
  const planAgain = (): Plan => {
    const { refuses = [] } = traitsOf(
      resolution.entry,
      provider,
      "chatstyle",
      learnt.of(resolution.entry, "chatstyle"),
    );
    return {
      resolution,
      body: JSON.stringify(settings.filter((name) => !(refuses as readonly string[]).includes(name))),
    };
  };
  const send = ({ body }: Plan): Promise<UpstreamResponse> =>
    transport.send({ origin: provider.origin, path: "/", method: "POST", headers: {}, body });
  return {
    learnt,
    bodies,
    /** Calls the provider, and adapts the request as long as `most` calls allow. */
    async call(most = 3, isTranslated = true) {
      const plan = planAgain();
      const answer = await adaptToRefusal<Plan>(
        { plan, response: await send(plan) },
        {
          learnt,
          read: (body) => body.bytes(1_000_000),
          isTranslated: () => isTranslated,
          hide: (text) => text.replaceAll("secret-key", "[redacted]"),
          planAgain,
          mayCall: () => bodies.length < most,
          callAgain: send,
        },
      );
      const text = new TextDecoder().decode(await answer.response.body.bytes(1_000_000));
      return { status: answer.response.status, text };
    },
  };
}

/** Refuses `stop` and then `seed`, in other words, as models do that name one at a time. */
function refusing(body: string): string | undefined {
  if (body.includes("stop"))
    return "Unsupported parameter: 'stop' is not supported with the 'secret-key' model";
  return body.includes("seed") ? "Unknown parameter: 'seed'." : undefined;
}

it("a request is sent again without what its refusal names, and later requests are sent without it at once", async () => {
  const client = program(["stop", "seed", "user"], refusing);
  expect(await client.call()).toMatchObject({ status: 200 });
  expect(client.bodies).toEqual(['["stop","seed","user"]', '["seed","user"]', '["user"]']);
  expect(await client.call(9)).toMatchObject({ status: 200 });
  expect(client.bodies.at(-1)).toBe('["user"]');
  expect(client.bodies).toHaveLength(4);
});

it("a lesson has the provider's words without secrets", async () => {
  const client = program(["stop"], refusing);
  await client.call();
  const [lesson] = client.learnt.all();
  expect(lesson).toMatchObject({ provider: "p", name: "m", traits: { refuses: ["stop"] } });
  expect(lesson!.because).toContain("[redacted]");
});

it("a refusal is returned, and can be read, where no call is left, or the request is the caller's own", async () => {
  for (const [most, isTranslated] of [
    [1, true],
    [3, false],
  ] as const) {
    const client = program(["stop"], refusing);
    const { status, text } = await client.call(most, isTranslated);
    expect([status, client.bodies.length]).toEqual([400, 1]);
    expect(text).toContain("'stop' is not supported");
  }
});

it("a refusal is not learnt from if what it names is not in the request", async () => {
  const client = program(["user"], () => "Unsupported parameter: 'stop' is not supported with this model");
  expect(await client.call()).toMatchObject({ status: 400 });
  expect([client.bodies.length, client.learnt.all()]).toEqual([1, []]);
});
