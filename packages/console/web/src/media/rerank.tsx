import { useSignal } from "@preact/signals";
import { explainAt } from "../play/explain.ts";
import { CALLS } from "../play/media.ts";
import { Strip } from "../play/strip.tsx";
import { Field, typedInto } from "../ui/form.tsx";
import { CallActs } from "./acts.tsx";
import { AnswerBox } from "./answer.tsx";
import { useCall } from "./call.ts";
import { type CallProps, ModelChoice, useModel } from "./models.tsx";
import { jsonForms } from "./samples.ts";
import { Score } from "./score.tsx";

interface Result {
  index: number;
  relevance_score: number;
}

const QUERY = "Where do llamas live?";
const DOCUMENTS = ["Llamas live in the Andes.", "Pandas live in China.", "It rains in spring."];

const textOf = (document: unknown): string =>
  typeof document === "string"
    ? document
    : String((document as { text?: unknown }).text ?? JSON.stringify(document));

const read = async (response: Response): Promise<Result[]> =>
  ((await response.json()) as { results: Result[] }).results;

/** Documents, one a line, in the order in which they answer a query. */
export default function Rerank({ models, sent }: CallProps) {
  const target = useModel(models, sent);
  const { id } = target;
  const documents = Array.isArray(sent?.documents) ? sent.documents.map(textOf) : DOCUMENTS;
  const query = useSignal(String(sent?.query ?? QUERY));
  const text = useSignal(documents.join("\n"));
  const most = useSignal(String(sent?.top_n ?? ""));
  const requested = useSignal<string[]>([]);
  const { called, isRunning, send, stop } = useCall(read);
  const lines = text.value.split("\n").filter((line) => line.trim() !== "");
  const body = {
    model: id,
    query: query.value,
    documents: lines,
    ...(most.value !== "" && { top_n: Number(most.value) }),
  };
  const asText = JSON.stringify(body);
  return (
    <div class="play orders">
      <div class="draft">
        <ModelChoice of={target} />
        <Field label="Query" {...typedInto(query)} />
        <label class="stack">
          Documents, one a line
          <textarea
            rows={6}
            data-filter
            value={text.value}
            onInput={(event) => {
              text.value = event.currentTarget.value;
            }}
          />
        </label>
        <Field label="At most" type="number" min="1" placeholder="all of them" {...typedInto(most)} />
        <Strip
          of={asText}
          ask={(signal) => explainAt(CALLS.rerank, asText, { payer: "playground", signal })}
        />
        <CallActs
          act="Rank"
          isRunning={isRunning}
          onSend={() => {
            requested.value = lines;
            void send(CALLS.rerank, asText);
          }}
          onStop={stop}
          forms={jsonForms("rerank", body, location.origin)}
        />
      </div>
      {called && (
        <div class="jobs">
          <AnswerBox of={called}>
            <ol class="scores">
              {called.answer?.map(({ index, relevance_score: score }) => (
                <li key={index}>
                  <span>{requested.value[index]}</span>
                  <Score of={score} label={`Document ${index + 1}`} />
                </li>
              ))}
            </ol>
          </AnswerBox>
        </div>
      )}
    </div>
  );
}
