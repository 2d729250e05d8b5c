import {
  compact,
  type Json,
  type JsonObject,
  lookup,
  numberOf,
  textOf,
  toArray,
  toObject,
  toText,
  type Voice,
  voiceSchema,
} from "@manifold/core";
import { act } from "../action.ts";
import type { Line, Trouble } from "../adapter.ts";

const version = "2025-05-20";
const PAGE = 100;
/** A list that goes on after this many pages is not believed. */
const PAGES = 50;

const genders: Readonly<Record<string, Voice["gender"]>> = {
  male: "male",
  man: "male",
  男: "male",
  男声: "male",
  男性: "male",
  female: "female",
  woman: "female",
  女: "female",
  女声: "female",
  女性: "female",
};

const ages: Readonly<Record<string, Voice["age"]>> = {
  child: "child",
  children: "child",
  儿童: "child",
  teenager: "teenager",
  teen: "teenager",
  少年: "teenager",
  少女: "teenager",
  少年少女: "teenager",
  "少年/少女": "teenager",
  adult: "adult",
  young: "adult",
  youth: "adult",
  青年: "adult",
  成年: "adult",
  "middle-age": "middle-age",
  "middle-aged": "middle-age",
  "middle age": "middle-age",
  elderly: "middle-age",
  中年: "middle-age",
  老年: "middle-age",
};

const categories: Readonly<Record<string, Voice["categories"][number]>> = {
  general: "General",
  通用场景: "General",
  通用: "General",
  dubbing: "Dubbing",
  视频配音: "Dubbing",
  配音: "Dubbing",
  角色扮演: "Dubbing",
  advertisement: "Advertisement",
  advertising: "Advertisement",
  广告: "Advertisement",
  广告配音: "Advertisement",
  audiobook: "AudioBook",
  有声阅读: "AudioBook",
  有声书: "AudioBook",
  conversational: "Conversational",
  conversation: "Conversational",
  客服场景: "Conversational",
  教育场景: "Conversational",
  多情感: "Conversational",
  entertainment: "Entertainment",
  娱乐: "Entertainment",
  趣味口音: "Entertainment",
  socialmedia: "SocialMedia",
  社交媒体: "SocialMedia",
};

const word = <T>(table: Readonly<Record<string, T>>, value: Json | undefined): T | undefined =>
  lookup(table, toText(value).trim().toLowerCase());

/** The names of categories, which stand in lists of lists, as names or as records of a name. */
function namesOf(value: Json | undefined): Json[] {
  return toArray(value).flatMap((item) => {
    if (typeof item === "string") return [item];
    const { Categories, Category, Name } = toObject(item);
    return [...namesOf(Categories), ...[Category, Name].filter((name) => name !== undefined)];
  });
}

/** A voice of the provider's list, or nothing where the catalog's words do not reach. */
export function readVoice(speaker: JsonObject): Voice | undefined {
  const named = namesOf(speaker.Categories)
    .map((name) => word(categories, toText(name).replace(/[\s_-]/g, "")))
    .filter((category) => category !== undefined);
  const voice = compact({
    voiceType: speaker.VoiceType,
    name: speaker.Name,
    gender: word(genders, speaker.Gender),
    age: word(ages, speaker.Age),
    categories: [...new Set(named.length > 0 ? named : (["General"] as const))],
    languages: toArray(speaker.Languages).map((item) => {
      const { Language, Text, Flag } = toObject(item);
      return { language: toText(Language), text: toText(Text), flag: toText(Flag) };
    }),
    avatar: textOf(speaker.Avatar) || undefined,
    trialUrl: textOf(speaker.TrialURL) || undefined,
    description: textOf(speaker.Description) || undefined,
    resourceId: speaker.ResourceID,
    capabilities: { contextTexts: speaker.ResourceID === "seed-tts-2.0" },
  });
  return voiceSchema.safeParse(voice).data;
}

/** The provider's voices. `unread` names those that the catalog has no words for. */
export interface VoiceList {
  voices: Voice[];
  unread: string[];
}

/** Asks the provider for all voices of some models. The line's service is the signed one that lists them. */
export async function listVoices(
  line: Line,
  resourceIds: readonly string[],
): Promise<VoiceList | { trouble: Trouble }> {
  const voices = new Map<string, Voice>();
  const unread = new Set<string>();
  let seen = 0;
  for (let page = 1; page <= PAGES; page += 1) {
    const body = { ResourceIDs: [...resourceIds], Page: page, Limit: PAGE };
    const outcome = await act(line, { name: "ListSpeakers", version, body });
    if ("trouble" in outcome) return outcome;
    const speakers = toArray(outcome.result.Speakers).map(toObject);
    for (const speaker of speakers) {
      const voice = readVoice(speaker);
      if (voice) voices.set(voice.voiceType, voice);
      else unread.add(toText(speaker.VoiceType));
    }
    seen += speakers.length;
    const total = numberOf(outcome.result.Total) ?? seen;
    if (speakers.length === 0 || seen >= total) break;
  }
  return { voices: [...voices.values()], unread: [...unread] };
}
