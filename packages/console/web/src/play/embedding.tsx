import { useSignal } from "@preact/signals";
import { count } from "../format.ts";
import { Json } from "../ui/json.tsx";
import { playKey } from "./key.ts";
import { NewKey } from "./new-key.tsx";

interface Embedded {
  data?: { embedding: number[] }[];
  usage?: unknown;
  errors?: string[];
  error?: { message?: string };
}

const PATH = "/api/chatstyle/v1/embeddings";
const SHOWN = 8;

/** A text as a vector. The surface takes keys, so the playground's own is used. */
export function Embedding({ model, text }: { model: string; text: string }) {
  const asksForKey = useSignal(false);
  const answer = useSignal<Embedded | undefined>(undefined);
  const send = async (): Promise<void> => {
    const key = playKey.value?.raw;
    if (key === undefined) {
      asksForKey.value = true;
      return;
    }
    const response = await fetch(PATH, {
      method: "POST",
      credentials: "omit",
      headers: { "content-type": "application/json", "x-api-key": key },
      body: JSON.stringify({ model, input: text }),
    }).catch(() => undefined);
    answer.value = response
      ? ((await response.json()) as Embedded)
      : { errors: ["The service cannot be reached."] };
  };
  const { data, usage, errors, error } = answer.value ?? {};
  const vector = data?.[0]?.embedding;
  const fault = errors?.join(" ") ?? error?.message;
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
      {asksForKey.value && (
        <NewKey
          onClose={() => {
            asksForKey.value = false;
          }}
          onMade={() => void send()}
        />
      )}
    </>
  );
}
