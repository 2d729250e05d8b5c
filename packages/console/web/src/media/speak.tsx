import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Incoming } from "../api/reach.ts";
import { size } from "../format.ts";
import { takes } from "../play/takers.ts";
import { Field, typedInto } from "../ui/form.tsx";
import { Icon } from "../ui/icons.tsx";
import { Select } from "../ui/select.tsx";
import { AnswerBox } from "./answer.tsx";
import { useCall } from "./call.ts";
import { JsonActs } from "./json-acts.tsx";
import { type CallProps, ModelChoice, useModel } from "./models.tsx";
import { ParamField } from "./param-field.tsx";
import { endingOf, formatsOf } from "./spoken.ts";
import { TextArea } from "./text-area.tsx";

/** Spoken text, once all of it is here. */
interface Spoken {
  link: string;
  bytes: number;
  /** The name of its file. */
  name: string;
}

async function read(response: Incoming): Promise<Spoken> {
  const blob = await response.blob();
  return { link: URL.createObjectURL(blob), bytes: blob.size, name: `speech.${endingOf(blob.type)}` };
}

/** A text, spoken while its caller waits. */
export default function Speak({ models, sent }: CallProps) {
  const target = useModel(models, sent);
  const { id, capabilities } = target;
  const text = useSignal(String(sent?.input ?? "Hello, it is good to meet you."));
  const voice = useSignal(String(sent?.voice ?? "alloy"));
  const chosenFormat = useSignal(String(sent?.response_format ?? ""));
  const speed = useSignal(String(sent?.speed ?? ""));
  const instructions = useSignal(String(sent?.instructions ?? ""));
  const calling = useCall(read);
  const { called } = calling;
  const link = called?.answer?.link;
  // The bytes are kept until there are others, or the screen is left.
  useEffect(() => (link === undefined ? undefined : () => URL.revokeObjectURL(link)), [link]);
  const { formats, format } = formatsOf(capabilities, chosenFormat.value);
  const isTaken = (name: string): boolean => takes(capabilities, "speech", name);
  const body = {
    model: id,
    input: text.value,
    voice: voice.value,
    ...(format !== "" && { response_format: format }),
    ...(isTaken("speed") && speed.value !== "" && { speed: Number(speed.value) }),
    ...(isTaken("instructions") && instructions.value !== "" && { instructions: instructions.value }),
  };
  return (
    <div class="play orders">
      <div class="draft">
        <ModelChoice of={target} />
        <TextArea label="Text" rows={3} text={text} maxLength={4_096} />
        <Field label="Voice" hint="By the name that the model’s vendor gives it." {...typedInto(voice)} />
        <Select
          label="Format"
          value={format}
          options={[{ value: "", text: "not set" }, ...formats.map((value) => ({ value, text: value }))]}
          onChange={(value) => {
            chosenFormat.value = value;
          }}
        />
        <ParamField
          {...{ of: target, area: "speech", name: "speed", title: "Speed", text: speed }}
          {...{ type: "number", min: "0.25", step: "0.05", placeholder: "1" }}
        />
        <ParamField
          {...{ of: target, area: "speech", name: "instructions", title: "Instructions", text: instructions }}
          placeholder="calm, like a teacher"
        />
        <JsonActs name="speak" body={body} act="Speak" calling={calling} />
      </div>
      {called && (
        <div class="jobs">
          <AnswerBox of={called}>
            {called.answer && (
              <>
                {/* biome-ignore lint/a11y/useMediaCaption: what is said is the text above */}
                <audio controls src={called.answer.link} aria-label="The spoken text" />
                <p>
                  <a class="button" href={called.answer.link} download={called.answer.name}>
                    <Icon name="download" />
                    Download, {size(called.answer.bytes)}
                  </a>
                </p>
              </>
            )}
          </AnswerBox>
        </div>
      )}
    </div>
  );
}
