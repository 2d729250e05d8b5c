import { useSignal } from "@preact/signals";
import { useQuery } from "@tanstack/preact-query";
import { useEffect } from "preact/hooks";
import { refusalOf } from "../api/client.ts";
import { emptyDraft } from "../play/draft.ts";
import { Awaited } from "../ui/awaited.tsx";
import { Copy } from "../ui/parts.tsx";

/** What a model takes, as a type of TypeScript. */
export function Types({ of: modelId }: { of: string }) {
  const types = useQuery({
    queryKey: ["types", modelId],
    queryFn: async ({ signal }) => {
      const path = modelId.split("/").map(encodeURIComponent).join("/");
      const response = await fetch(`/api/v1/ai/schemas/${path}?as=typescript`, { signal });
      if (!response.ok) throw await refusalOf(response, "/api/v1/ai/schemas/{modelId}");
      return response.text();
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

interface Call {
  title: string;
  line: string;
}

/** The same call in every protocol, as the codecs write it. */
export function Calls({ of: model }: { of: string }) {
  const calls = useSignal<Call[]>([]);
  useEffect(() => {
    void import("../play/protocols.ts").then(({ SPOKEN, encode }) => {
      calls.value = Object.entries(SPOKEN).map(([name, { name: title, path }]) => {
        const { body } = encode({ ...emptyDraft, model }, name as keyof typeof SPOKEN);
        const quoted = JSON.stringify(body).replaceAll("'", "'\\''");
        const line = `curl '${location.origin}${path(model)}' \\\n  -H "x-api-key: $MANIFOLD_KEY" -H 'content-type: application/json' \\\n  -d '${quoted}'`;
        return { title, line };
      });
    });
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
