/** The ids of everything that the service stores: UUIDs of version 7 in lower case. */
export const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** The format of every time in an answer: UTC, to the millisecond. */
export const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** A well-formed id of nothing that exists. */
export const nobody = "01234567-89ab-7def-8123-456789abcdef"
