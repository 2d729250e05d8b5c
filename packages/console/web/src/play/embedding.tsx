import { useSignal } from "@preact/signals";
import { AS_PLAYGROUND, refusalOf } from "../api/client.ts";
import { count } from "../format.ts";
import { Json } from "../ui/json.tsx";

interface Embedded {
  data?: { embedding: number[] }[];
  usage?: unknown;
  fault?: string;
}

const PATH = "/api/chatstyle/v1/embeddings";
const SHOWN = 8;

/** A text as a vector. */
export function Embedding({ model, text }: { model: string; text: string }) {
  const answer = useSignal<Embedded | undefined>(undefined);
  const send = async (): Promise<void> => {
    const response = await fetch(PATH, {
      method: "POST",
      credentials: "same-origin",
      headers: AS_PLAYGROUND,
      body: JSON.stringify({ model, input: text }),
    }).catch(() => undefined);
    if (!response) answer.value = { fault: "The service cannot be reached." };
    else if (response.ok) answer.value = (await response.json()) as Embedded;
    else answer.value = { fault: (await refusalOf(response, PATH)).message };
  };
  const { data, usage, fault } = answer.value ?? {};
  const vector = data?.[0]?.embedding;
  return (
    <>
      <div class="acts">
        <button type="button" class="main" onClick={() => void send()}>
          Embed
        </button>
      </div>
      {fault !== undefined && (
        <p class="wrong" role="alert">
          {fault}
        </p>
      )}
      {vector && (
        <p role="status">
          {count(vector.length)} dimensions, beginning with{" "}
          <code>
            {vector
              .slice(0, SHOWN)
              .map((value) => value.toFixed(4))
              .join(", ")}
          </code>
        </p>
      )}
      {usage !== undefined && <Json value={usage} label="The usage" />}
    </>
  );
}
