/** The languages of what strangers and families read: the consent pages and the mails. English is the source. */
export const languages = ["en", "es"] as const

export type Language = typeof languages[number]

/** Words in each language. A catalogue has the type of the English one, so the compiler finds a word that lacks. */
export type InEachLanguage<Words> = Readonly<Record<Language, Words>>

/** The locale of each language for `Intl`: dates, times and lists are written as in the United States. */
export const localeOf: InEachLanguage<string> = { en: "en-US", es: "es-US" }
