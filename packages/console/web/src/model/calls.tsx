import { useSignal } from "@preact/signals";
import { useQuery } from "@tanstack/preact-query";
import { useEffect } from "preact/hooks";
import { refusalOf } from "../api/client.ts";
import { LANGUAGES } from "../api/languages.ts";
import { reach, toIncoming } from "../api/reach.ts";
import { codecs } from "../codecs/codecs.ts";
import { WIRE_NAMES, WIRES } from "../codecs/wires.ts";
import { emptyRequest } from "../play/draft.ts";
import { Awaited } from "../ui/awaited.tsx";
import { Copy } from "../ui/parts.tsx";

/** What a model takes, as a type of TypeScript. */
export function Types({ of: modelId }: { of: string }) {
  const types = useQuery({
    queryKey: ["types", modelId],
    queryFn: async ({ signal }) => {
      const path = modelId.split("/").map(encodeURIComponent).join("/");
      const response = await reach(`/api/v1/ai/schemas/${path}?as=typescript`, { signal });
      if (!response.ok) throw await refusalOf(response, "/api/v1/ai/schemas/{modelId}");
      return toIncoming(response).text();
    },
  });
  return (
    <Awaited label="the types" of={types}>
      {(text) => (
        <>
          <Copy text={text} />
          <pre class="answer">{text}</pre>
        </>
      )}
    </Awaited>
  );
}

const CREDENTIAL = { header: "x-api-key", variable: "MANIFOLD_KEY" };

interface Call {
  title: string;
  line: string;
}

/** The same call in every protocol, as the codecs write it. */
export function Calls({ of: model }: { of: string }) {
  const calls = useSignal<Call[]>([]);
  useEffect(() => {
    let isCurrent = true;
    const all = WIRE_NAMES.map(async (name): Promise<Call> => {
      const { text } = await codecs("encode", { ...emptyRequest, model }, name);
      const url = location.origin + WIRES[name].path(model, true);
      const body: unknown = JSON.parse(text);
      return {
        title: WIRES[name].title,
        line: LANGUAGES.curl.write({ method: "POST", url, credential: CREDENTIAL, body }),
      };
    });
    void Promise.all(all).then((samples) => {
      if (isCurrent) calls.value = samples;
    });
    return () => {
      isCurrent = false;
    };
  }, [model]);
  return (
    <>
      {calls.value.map(({ title, line }) => (
        <section key={title} aria-label={title}>
          <h2>{title}</h2>
          <Copy text={line} label={`Copy ${title}`} />
          <pre class="answer">{line}</pre>
        </section>
      ))}
    </>
  );
}
