/** The languages of what strangers and families read: the consent pages and the mails. English is the source. */
export const languages = ["en", "es"] as const

export type Language = typeof languages[number]

/** The locale of each language for `Intl`: dates, times and lists are written as in the United States. */
export const localeOf: Readonly<Record<Language, string>> = { en: "en-US", es: "es-US" }
