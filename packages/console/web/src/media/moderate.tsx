import { useSignal } from "@preact/signals";
import type { Incoming } from "../api/reach.ts";
import { Field, typedInto } from "../ui/form.tsx";
import { Status } from "../ui/parts.tsx";
import { AnswerBox } from "./answer.tsx";
import { useCall } from "./call.ts";
import { JsonActs } from "./json-acts.tsx";
import { type CallProps, ModelChoice, useModel } from "./models.tsx";
import { Score } from "./score.tsx";
import { TextArea } from "./text-area.tsx";

interface Verdict {
  flagged: boolean;
  categories: Record<string, boolean>;
  category_scores: Record<string, number>;
}

interface Part {
  type: string;
  text?: string;
  image_url?: { url?: string };
}

const read = async (response: Incoming): Promise<Verdict[]> =>
  ((await response.json()) as { results: Verdict[] }).results;

/** The text and the address of the picture in a request that was sent. */
function partsOf(input: unknown): { text: string; image: string } {
  const parts = Array.isArray(input)
    ? (input as (string | Part)[])
    : [String(input ?? "I will call you tomorrow.")];
  const texts = parts.flatMap((part) => (typeof part === "string" ? part : (part.text ?? [])));
  const images = parts.flatMap((part) => (typeof part === "string" ? [] : (part.image_url?.url ?? [])));
  return { text: texts.join("\n"), image: images[0] ?? "" };
}

/** A text, and a picture beside it, by the categories of a model. */
export default function Moderate({ models, sent }: CallProps) {
  const target = useModel(models, sent);
  const { id, model } = target;
  const opened = partsOf(sent?.input);
  const text = useSignal(opened.text);
  const image = useSignal(opened.image);
  const calling = useCall(read);
  const { called } = calling;
  const seesImages = model.inputModalities.includes("image");
  const hasImage = seesImages && image.value !== "";
  const input = hasImage
    ? [
        ...(text.value === "" ? [] : [{ type: "text", text: text.value }]),
        { type: "image_url", image_url: { url: image.value } },
      ]
    : text.value;
  const body = { model: id, input };
  return (
    <div class="play orders">
      <div class="draft">
        <ModelChoice of={target} />
        <TextArea label="Text" rows={3} text={text} />
        {seesImages && (
          <Field
            label="Address of an image"
            hint="HTTPS, or a data URL. It is judged together with the text."
            {...typedInto(image)}
          />
        )}
        <JsonActs name="moderate" body={body} act="Judge" calling={calling} />
      </div>
      {called && (
        <div class="jobs">
          <AnswerBox of={called}>
            {called.answer?.map((verdict, at) => (
              <Judged key={at} of={verdict} />
            ))}
          </AnswerBox>
        </div>
      )}
    </div>
  );
}

/** The verdict, and each category with its score, the highest first. */
function Judged({ of: { flagged, categories, category_scores: scores } }: { of: Verdict }) {
  const names = Object.keys(categories).sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0));
  return (
    <>
      <p>
        <Status of={flagged ? "flagged" : "not flagged"} />
      </p>
      <ul class="scores">
        {names.map((name) => (
          <li key={name}>
            <span>
              {name}
              {categories[name] && <b class="bad"> applies</b>}
            </span>
            {scores[name] !== undefined && <Score of={scores[name]} label={name} isBad />}
          </li>
        ))}
      </ul>
    </>
  );
}
