/** Writes the day of an instant for people, as "2026-11-21". It is the day in UTC. */
export const dayOf = (instant: Date | string) => inUtc(instant).slice(0, 10)

/** Writes an instant for people, as "2026-11-21 17:05 UTC". */
export const minuteOf = (instant: Date | string) => `${inUtc(instant).slice(0, 16)} UTC`

/** Writes an instant for people, as "2026-11-21 17:05:23 UTC". */
export const secondOf = (instant: Date | string) => `${inUtc(instant).slice(0, 19)} UTC`

const inUtc = (instant: Date | string) => new Date(instant).toISOString().replace("T", " ")
