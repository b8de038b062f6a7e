import { type Language, localeOf } from "../../domain/Language.ts"

/** Writes the day of an instant for people, as "2026-11-21". It is the day in UTC. */
export const dayOf = (instant: Date | string) => inUtc(instant).slice(0, 10)

/** Writes an instant for people, as "2026-11-21 17:05 UTC". */
export const minuteOf = (instant: Date | string) => `${inUtc(instant).slice(0, 16)} UTC`

/** Writes an instant for people, as "2026-11-21 17:05:23 UTC". */
export const secondOf = (instant: Date | string) => `${inUtc(instant).slice(0, 19)} UTC`

const inUtc = (instant: Date | string) => new Date(instant).toISOString().replace("T", " ")

/**
 * Writes an instant for a reader whose zone is unknown, in that of Washington, with its name: "November 21, 2026 at
 * 12:05 PM Eastern Time". Narrow spaces become plain ones, which every mail program shows.
 */
export const momentIn = (language: Language, instant: Date): string =>
  new Intl.DateTimeFormat(localeOf[language], {
    year: "numeric",
    month: "long",
    day: "numeric",
    hour: "numeric",
    minute: "2-digit",
    timeZone: "America/New_York",
    timeZoneName: "longGeneric"
  }).format(instant).replaceAll(/[\u00a0\u202f]/g, " ")

/** Writes the day of an instant in the zone of Washington, as "Dec 21". */
export const dayIn = (language: Language, instant: Date): string =>
  new Intl.DateTimeFormat(localeOf[language], { month: "short", day: "numeric", timeZone: "America/New_York" })
    .format(instant)
