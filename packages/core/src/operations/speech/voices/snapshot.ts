import type { Voice } from "./voice.ts";

type Speech = readonly [language: string, flag: string, text: string];

/** A sample of each language: what a reader would say to introduce herself. */
const speech = {
  zh: ["zh-CN", "🇨🇳", "你好，很高兴认识你，今天想听我读点什么？"],
  en: ["en-US", "🇺🇸", "Hello, it is good to meet you. What shall I read for you today?"],
  de: ["de-DE", "🇩🇪", "Hallo, schön, dich kennenzulernen. Was soll ich dir heute vorlesen?"],
  ja: ["ja-JP", "🇯🇵", "こんにちは、はじめまして。今日は何を読みましょうか。"],
  fr: ["fr-FR", "🇫🇷", "Bonjour, ravi de te rencontrer. Que veux-tu que je te lise aujourd'hui ?"],
  es: ["es-MX", "🇲🇽", "Hola, es un gusto conocerte. ¿Qué quieres que te lea hoy?"],
  id: ["id-ID", "🇮🇩", "Halo, senang bertemu denganmu. Apa yang ingin kamu dengar hari ini?"],
  pt: ["pt-BR", "🇧🇷", "Olá, é um prazer conhecer você. O que você quer ouvir hoje?"],
  it: ["it-IT", "🇮🇹", "Ciao, piacere di conoscerti. Che cosa vuoi che ti legga oggi?"],
  ko: ["ko-KR", "🇰🇷", "안녕하세요, 만나서 반가워요. 오늘은 무엇을 읽어 드릴까요?"],
} satisfies Record<string, Speech>;

type Row = readonly [
  voiceType: string,
  name: string,
  gender: Voice["gender"],
  age: Voice["age"],
  languages: readonly (keyof typeof speech)[],
  categories: Voice["categories"],
  description: string,
];

const second: readonly Row[] = [
  [
    "zh_female_vv_uranus_bigtts",
    "Vivi",
    "female",
    "adult",
    ["zh", "en"],
    ["General", "Conversational"],
    "Warm and lively; reads Chinese and English.",
  ],
  [
    "zh_female_xiaohe_uranus_bigtts",
    "Xiaohe",
    "female",
    "adult",
    ["zh"],
    ["General", "SocialMedia"],
    "Clear and friendly.",
  ],
  [
    "zh_male_m191_uranus_bigtts",
    "Yunzhou",
    "male",
    "adult",
    ["zh"],
    ["General", "AudioBook"],
    "Calm and even.",
  ],
  [
    "zh_male_taocheng_uranus_bigtts",
    "Xiaotian",
    "male",
    "adult",
    ["zh"],
    ["General", "Advertisement"],
    "Bright and direct.",
  ],
  [
    "en_female_dacey_uranus_bigtts",
    "Dacey",
    "female",
    "adult",
    ["en"],
    ["General", "Conversational"],
    "Natural English for everyday texts.",
  ],
  [
    "en_male_tim_uranus_bigtts",
    "Tim",
    "male",
    "adult",
    ["en"],
    ["General", "Conversational"],
    "Relaxed English for everyday texts.",
  ],
  ["de_male_seven_uranus_bigtts", "Seven", "male", "adult", ["de"], ["General"], "German."],
  ["jp_female_minimi_uranus_bigtts", "Minimi", "female", "adult", ["ja"], ["General"], "Japanese."],
  ["fr_male_usseau_uranus_bigtts", "Usseau", "male", "adult", ["fr"], ["General"], "French."],
  [
    "es_male_felipe_uranus_bigtts",
    "Felipe",
    "male",
    "adult",
    ["es"],
    ["General"],
    "Spanish as it is spoken in Mexico.",
  ],
  ["id_male_han_uranus_bigtts", "Han", "male", "adult", ["id"], ["General"], "Indonesian."],
  [
    "pt_male_martins_uranus_bigtts",
    "Martins",
    "male",
    "adult",
    ["pt"],
    ["General"],
    "Portuguese as it is spoken in Brazil.",
  ],
  ["it_male_enzo_uranus_bigtts", "Enzo", "male", "adult", ["it"], ["General"], "Italian."],
  ["kr_male_shane_uranus_bigtts", "Shane", "male", "adult", ["ko"], ["General"], "Korean."],
];

const first: readonly Row[] = [
  [
    "zh_female_shuangkuaisisi_moon_bigtts",
    "Sisi",
    "female",
    "adult",
    ["zh", "en"],
    ["General", "Conversational"],
    "Quick and cheerful.",
  ],
  [
    "zh_female_linjianvhai_moon_bigtts",
    "Girl next door",
    "female",
    "teenager",
    ["zh"],
    ["General", "SocialMedia"],
    "Young and close.",
  ],
  [
    "zh_female_gaolengyujie_moon_bigtts",
    "Cool lady",
    "female",
    "adult",
    ["zh"],
    ["Dubbing", "Entertainment"],
    "Cool and composed.",
  ],
  [
    "zh_male_wennuanahu_moon_bigtts",
    "Ahu",
    "male",
    "adult",
    ["zh", "en"],
    ["General", "Conversational"],
    "Warm.",
  ],
  [
    "zh_male_yangguangqingnian_moon_bigtts",
    "Sunny",
    "male",
    "adult",
    ["zh"],
    ["General", "Advertisement"],
    "Young and bright.",
  ],
  [
    "zh_male_yuanboxiaoshu_moon_bigtts",
    "Yuanbo",
    "male",
    "middle-age",
    ["zh"],
    ["AudioBook", "Dubbing"],
    "Deep and experienced.",
  ],
  [
    "zh_male_changtianyi_mars_bigtts",
    "Suspense narrator",
    "male",
    "middle-age",
    ["zh"],
    ["AudioBook"],
    "A narrator of suspense.",
  ],
  [
    "zh_male_jieshuonansheng_mars_bigtts",
    "Commentator",
    "male",
    "adult",
    ["zh", "en"],
    ["SocialMedia", "Entertainment"],
    "A commentator of videos.",
  ],
  ["en_male_adam_mars_bigtts", "Adam", "male", "adult", ["en"], ["General"], "American English."],
  [
    "en_female_sarah_mars_bigtts",
    "Sarah",
    "female",
    "adult",
    ["en"],
    ["General"],
    "English as it is spoken in Australia.",
  ],
  ["en_female_anna_mars_bigtts", "Anna", "female", "adult", ["en"], ["General"], "British English."],
  [
    "en_male_smith_mars_bigtts",
    "Smith",
    "male",
    "middle-age",
    ["en"],
    ["General", "AudioBook"],
    "British English.",
  ],
];

const toVoice =
  (resourceId: Voice["resourceId"], contextTexts: boolean) =>
  ([voiceType, name, gender, age, languages, categories, description]: Row): Voice => ({
    voiceType,
    name,
    gender,
    age,
    categories,
    languages: languages.map((id) => {
      const [language, flag, text] = speech[id];
      return { language, text, flag };
    }),
    description,
    resourceId,
    capabilities: { contextTexts },
  });

/** Voices that are known without asking anyone. Operators replace them by what their own provider lists. */
export const knownVoices: readonly Voice[] = [
  ...second.map(toVoice("seed-tts-2.0", true)),
  ...first.map(toVoice("seed-tts-1.0", false)),
];
