import { useSignal } from "@preact/signals";
import { useQuery } from "@tanstack/preact-query";
import { call } from "../api/client.ts";
import { Copy } from "../ui/parts.tsx";
import { Select } from "../ui/select.tsx";
import { snippetsFor } from "./snippets.ts";

/** How to use a key from any SDK or coding agent, ready to be copied; `secret` is the key itself, where it is known. */
export default function UseIt({ secret }: { secret?: string | undefined }) {
  const title = useSignal("curl");
  const chosen = useSignal<string | undefined>(undefined);
  const { data = [] } = useQuery({
    queryKey: ["models"],
    queryFn: ({ signal }) => call("get", "/api/v1/ai/models", { signal }),
  });
  const models = data.filter(({ outputModalities }) => outputModalities.includes("text"));
  const model = chosen.value ?? models[0]?.modelId;
  if (model === undefined) return null;
  const snippets = snippetsFor({ origin: location.origin, model, key: secret });
  const shown = snippets.find((snippet) => snippet.title === title.value) ?? snippets[0];
  return (
    <div class="snippet">
      <div class="acts">
        <Select
          label="With"
          isInline
          value={shown?.title}
          options={snippets.map((snippet) => ({ value: snippet.title, text: snippet.title }))}
          onChange={(value) => {
            title.value = value;
          }}
        />
        <Select
          label="Model"
          isInline
          value={model}
          options={models.map(({ modelId }) => ({ value: modelId, text: modelId }))}
          onChange={(value) => {
            chosen.value = value;
          }}
        />
        {shown && <Copy text={shown.text} label="Copy all" />}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reached by keys */}
      <pre tabIndex={0}>{shown?.text}</pre>
    </div>
  );
}
