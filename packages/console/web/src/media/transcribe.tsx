import { useSignal } from "@preact/signals";
import { CALLS } from "../play/media.ts";
import { takes } from "../play/takers.ts";
import { Select } from "../ui/select.tsx";
import { CallActs } from "./acts.tsx";
import { AnswerBox } from "./answer.tsx";
import { useCall } from "./call.ts";
import { FileField } from "./file-field.tsx";
import { type CallProps, ModelChoice, useModel } from "./models.tsx";
import { ParamField, Refused } from "./param-field.tsx";
import { fieldsOf, formForms } from "./samples.ts";
import { readTranscript, type Transcript } from "./transcript.ts";
import { TranscriptView } from "./transcript-view.tsx";

/** The forms of an answer in words, in the order in which they are offered. */
const FORMATS = [
  ["json", "text"],
  ["verbose_json", "text with times"],
  ["diarized_json", "text by speaker"],
  ["srt", "subtitles, SRT"],
  ["vtt", "subtitles, WebVTT"],
  ["text", "plain text"],
] as const;

const TIMES = [
  ["segment", "of passages"],
  ["word", "of words"],
  ["both", "of passages and words"],
] as const;

const toOptions = (all: readonly (readonly [value: string, text: string])[]) =>
  all.map(([value, text]) => ({ value, text }));

/** A recording as text, in its language or in English; the text as it comes, where the model streams. */
export default function Transcribe({ models, sent }: CallProps) {
  const target = useModel(models, sent);
  const { id, capabilities } = target;
  const file = useSignal<File | undefined>(undefined);
  const isMissing = useSignal(false);
  const task = useSignal<"transcribe" | "translate">("transcribe");
  const format = useSignal(String(sent?.response_format ?? "json"));
  const times = useSignal("segment");
  const language = useSignal(String(sent?.language ?? ""));
  const prompt = useSignal(String(sent?.prompt ?? ""));
  const isStreamed = useSignal(true);
  const { called, isRunning, send, stop } = useCall<Transcript>(readTranscript);
  const params = (capabilities.transcription?.params ?? {}) as Record<string, { values?: string[] }>;
  const isTaken = (name: string): boolean => takes(capabilities, "transcription", name);
  const translates = isTaken("task") && params.task?.values?.includes("translate") !== false;
  const streams = isTaken("stream");
  const formats = FORMATS.filter(([value]) => params.responseFormat?.values?.includes(value) ?? true);
  const form = formats.some(([value]) => value === format.value) ? format.value : "json";
  const isTranslation = translates && task.value === "translate";
  const hasTimes = form === "verbose_json" && isTaken("timestampGranularities");
  const body = {
    model: id,
    ...(form !== "json" && { response_format: form }),
    ...(hasTimes && {
      timestamp_granularities: times.value === "both" ? ["segment", "word"] : [times.value],
    }),
    ...(!isTranslation && isTaken("language") && language.value !== "" && { language: language.value }),
    ...(isTaken("prompt") && prompt.value !== "" && { prompt: prompt.value }),
    ...(streams && !isTranslation && isStreamed.value && { stream: true }),
  };
  const call = isTranslation ? "translate" : "transcribe";
  const start = (): void => {
    isMissing.value = file.value === undefined;
    if (!file.value) return;
    const fields = new FormData();
    for (const [name, value] of fieldsOf(body)) fields.append(name, value);
    fields.append("file", file.value);
    void send(CALLS[call], fields);
  };
  return (
    <div class="play orders">
      <div class="draft">
        <ModelChoice of={target} />
        <FileField
          label="Recording: choose a file, or drop one here"
          accept="audio/*,video/mp4,video/webm"
          hint="MP3, WAV, FLAC, Ogg, AAC, MP4 or WebM, up to 256 MiB. It is not stored."
          fault={isMissing.value ? "Choose a recording first." : undefined}
          onFile={(one) => {
            file.value = one;
            isMissing.value = false;
          }}
        />
        <Select
          label="Language of the text"
          value={isTranslation ? "translate" : "transcribe"}
          options={[
            { value: "transcribe", text: "as it is spoken" },
            ...(translates ? [{ value: "translate", text: "English" }] : []),
          ]}
          onChange={(value) => {
            task.value = value as "transcribe";
          }}
        />
        <Select
          label="Form"
          value={form}
          options={toOptions(formats)}
          onChange={(value) => {
            format.value = value;
          }}
        />
        {hasTimes && (
          <Select
            label="Times"
            value={times.value}
            options={toOptions(TIMES)}
            onChange={(value) => {
              times.value = value;
            }}
          />
        )}
        <ParamField
          {...{
            of: target,
            area: "transcription",
            name: "language",
            title: "Spoken language",
            text: language,
          }}
          placeholder="found by the model; or a code, such as en"
        />
        <ParamField
          {...{ of: target, area: "transcription", name: "prompt", title: "Prompt", text: prompt }}
          placeholder="names and words that occur in it"
        />
        {streams ? (
          <label class="check">
            <input
              type="checkbox"
              checked={isStreamed.value}
              onChange={(event) => {
                isStreamed.value = event.currentTarget.checked;
              }}
            />{" "}
            Show the text as it comes
          </label>
        ) : (
          <Refused of={target} area="transcription" name="stream" title="Text as it comes" />
        )}
        <CallActs
          act={isTranslation ? "Translate" : "Transcribe"}
          isRunning={isRunning}
          onSend={start}
          onStop={stop}
          forms={formForms(call, body, location.origin, file.value?.name ?? "speech.mp3")}
        />
      </div>
      {called && (
        <div class="jobs">
          <AnswerBox of={called}>{called.answer && <TranscriptView of={called.answer} />}</AnswerBox>
        </div>
      )}
    </div>
  );
}
