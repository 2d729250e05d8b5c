import * as z from "zod";
import { checked } from "../../check/body.ts";
import { Refusal } from "../../refusal.ts";
import { metadata, toRefusal } from "../envelope.ts";
import type { AcceptedRequest, MediaCall } from "../protocol.ts";
import { verify } from "../request-signature.ts";

const SERVICE = "speech_saas_prod";
const VERSION = "2025-05-20";

const schema = z.strictObject({
  ResourceIDs: z.array(z.string()).optional(),
  VoiceTypes: z.array(z.string()).optional(),
  Page: z.int().min(1).optional(),
  Limit: z.int().min(1).max(100).optional(),
});

const NAMES = [
  ["zh_female_vv_uranus_bigtts", "女", "青年", "zh-cn"],
  ["en_female_dacey_uranus_bigtts", "女", "青年", "en"],
  ["en_male_tim_uranus_bigtts", "男", "中年", "en"],
  ["de_male_seven_uranus_bigtts", "男", "青年", "de"],
  ["jp_female_minimi_uranus_bigtts", "女", "少年/少女", "ja"],
  ["fr_male_usseau_uranus_bigtts", "男", "青年", "fr"],
  ["es_male_felipe_uranus_bigtts", "男", "青年", "es"],
  ["id_male_han_uranus_bigtts", "男", "青年", "id"],
  ["pt_male_martins_uranus_bigtts", "男", "中年", "pt-br"],
  ["it_male_enzo_uranus_bigtts", "男", "青年", "it"],
  ["kr_male_shane_uranus_bigtts", "男", "青年", "ko"],
  ["en_female_nara_moon_bigtts", "女", "青年", "en"],
  ["en_male_jason_mars_bigtts", "男", "儿童", "en"],
] as const;
const CATEGORIES = ["General", "Dubbing", "Advertisement", "AudioBook", "Conversational", "Entertainment"];

const speakers = (origin: string) =>
  NAMES.map(([VoiceType, Gender, Age, Language], index) => {
    const Name = VoiceType.split("_")[2]!;
    return {
      VoiceType,
      Name,
      Avatar: `${origin}/samples/64x64.png`,
      Description: `The voice of ${Name}`,
      Gender,
      Age,
      Categories: [{ Categories: [CATEGORIES[index % CATEGORIES.length]] }],
      Languages: [{ Language, Text: `Hello, I am ${Name}.`, Flag: "" }],
      TrialURL: `${origin}/samples/3s.mp3`,
      ResourceID: VoiceType.includes("uranus") ? "seed-tts-2.0" : "seed-tts-1.0",
    };
  });

/** The catalog of voices, a signed action of its own service. */
export function listVoices(call: MediaCall): AcceptedRequest {
  verify(call, SERVICE);
  const version = call.url.searchParams.get("Version");
  if (version !== VERSION)
    throw new Refusal("missing", `Could not find operation ListSpeakers for version ${version}.`, {
      code: "InvalidActionOrVersion",
    });
  const { ResourceIDs, VoiceTypes, Page = 1, Limit = 10 } = checked(schema, call.body ?? {}, toRefusal);
  return {
    text: "",
    answer: () => {
      const all = speakers(call.origin)
        .filter(({ ResourceID }) => ResourceIDs?.includes(ResourceID) ?? true)
        .filter(({ VoiceType }) => VoiceTypes?.includes(VoiceType) ?? true);
      const Speakers = all.slice((Page - 1) * Limit, Page * Limit);
      const Result = { Total: all.length, Speakers };
      return { body: { ResponseMetadata: metadata(call.hash, "ListSpeakers", VERSION, SERVICE), Result } };
    },
  };
}
