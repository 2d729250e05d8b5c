import { useSignal } from "@preact/signals";
import type { Incoming } from "../api/reach.ts";
import { Field, typedInto } from "../ui/form.tsx";
import { AnswerBox } from "./answer.tsx";
import { useCall } from "./call.ts";
import { JsonActs } from "./json-acts.tsx";
import { type CallProps, ModelChoice, useModel } from "./models.tsx";
import { Score } from "./score.tsx";
import { TextArea } from "./text-area.tsx";

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

const read = async (response: Incoming): Promise<Result[]> =>
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
  const calling = useCall(read);
  const { called } = calling;
  const lines = text.value.split("\n").filter((line) => line.trim() !== "");
  const body = {
    model: id,
    query: query.value,
    documents: lines,
    ...(most.value !== "" && { top_n: Number(most.value) }),
  };
  return (
    <div class="play orders">
      <div class="draft">
        <ModelChoice of={target} />
        <Field label="Query" {...typedInto(query)} />
        <TextArea label="Documents, one a line" rows={6} text={text} />
        <Field label="At most" type="number" min="1" placeholder="all of them" {...typedInto(most)} />
        <JsonActs
          name="rerank"
          body={body}
          act="Rank"
          calling={calling}
          onSend={() => {
            requested.value = lines;
          }}
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
