import { useSignal } from "@preact/signals";
import { useQuery, useQueryClient } from "@tanstack/preact-query";
import { call } from "../api/client.ts";
import { duration } from "../format.ts";
import { Failed } from "../ui/parts.tsx";
import { type Hello as Answer, sayHello } from "./hello.ts";

interface HelloProps {
  /** The models to choose from; default: all. */
  among?: readonly string[];
}

/** Sends a first question in three protocols, and shows the answers side by side. */
export function Hello({ among }: HelloProps) {
  const answers = useSignal<readonly Answer[] | undefined>(undefined);
  const isSending = useSignal(false);
  const queries = useQueryClient();
  const models = useQuery({
    queryKey: ["models"],
    queryFn: ({ signal }) => call("get", "/api/v1/ai/models", { signal }),
  });
  const { data = [] } = models;
  const model = data.find(
    ({ modelId, outputModalities }) =>
      outputModalities.includes("text") && (among === undefined || among.includes(modelId)),
  )?.modelId;
  if (model === undefined && data.length > 0) return null;
  const send = async (): Promise<void> => {
    if (model === undefined || isSending.value) return;
    isSending.value = true;
    answers.value = await sayHello(model);
    isSending.value = false;
    for (const name of ["requests", "series", "account"])
      void queries.invalidateQueries({ queryKey: [name] });
  };
  return (
    <>
      <div class="acts">
        <button
          type="button"
          class="main"
          aria-disabled={model === undefined || isSending.value}
          onClick={() => void send()}
        >
          {isSending.value ? "Sending …" : "Say hello in three protocols"}
        </button>
        <a
          class="button"
          href={among && model ? `/console/play?${new URLSearchParams({ model })}` : "/console/play"}
        >
          Open the playground
        </a>
      </div>
      {models.isError && <Failed error={models.error} />}
      {answers.value && (
        <ul class="hellos" aria-live="polite">
          {answers.value.map((answer) => (
            <li key={answer.protocol}>
              <b>{answer.protocol}</b>
              {"fault" in answer ? (
                <Failed error={answer.fault} />
              ) : (
                <>
                  <p>{answer.text || "It answered without a text."}</p>
                  <small class="faint">
                    {duration(answer.ms)} ·{" "}
                    <a href={`/console/requests/${encodeURIComponent(answer.id)}`}>the request</a>
                  </small>
                </>
              )}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
