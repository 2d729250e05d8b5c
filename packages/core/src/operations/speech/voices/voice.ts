import * as z from "zod";

/** The genders of voices. */
export const genders = ["male", "female"] as const;
/** The ages of voices. */
export const ages = ["child", "teenager", "adult", "middle-age"] as const;
/** The uses that voices are made for. */
export const voiceCategories = [
  "General",
  "Dubbing",
  "Advertisement",
  "AudioBook",
  "Conversational",
  "Entertainment",
  "SocialMedia",
] as const;
/** The models that read texts. */
export const readingModels = ["seed-tts-1.0", "seed-tts-2.0"] as const;

const LANGUAGE = /^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*$/;

/** A language tag. */
export const languageTag = z.string().max(64).regex(LANGUAGE, "must be a BCP-47 code such as en or zh-CN");

/** A voice of the audio catalog, as it is stored and as callers read it. */
export const voiceSchema = z.object({
  /** The name of the voice: a member of a reading, and the `speaker` of a reference. */
  voiceType: z.string().min(1).max(256),
  name: z.string().min(1),
  gender: z.enum(genders),
  age: z.enum(ages),
  categories: z.array(z.enum(voiceCategories)),
  /** `text` is a sample, `flag` an emoji. */
  languages: z.array(z.object({ language: languageTag, text: z.string(), flag: z.string() })).min(1),
  avatar: z.url().optional(),
  trialUrl: z.url().optional(),
  description: z.string().optional(),
  /** The model that reads with it. */
  resourceId: z.enum(readingModels),
  capabilities: z.object({ contextTexts: z.boolean() }),
});
/** A voice of the audio catalog. */
export type Voice = z.infer<typeof voiceSchema>;

/** A catalog of voices: no two of one `voiceType`. */
export const voicesSchema = z.array(voiceSchema).superRefine((voices, context) => {
  const seen = new Set<string>();
  for (const [i, { voiceType }] of voices.entries()) {
    if (seen.has(voiceType))
      context.addIssue({ code: "custom", path: [i, "voiceType"], message: `stands twice: ${voiceType}` });
    seen.add(voiceType);
  }
});
