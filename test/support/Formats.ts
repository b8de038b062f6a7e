/** Everything that the service stores has such an id: a UUID of version 7 in lower case. */
export const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** Every time in an answer is written so: UTC, to the millisecond. */
export const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** This id is well formed and belongs to nobody and nothing. */
export const nobody = "01234567-89ab-7def-8123-456789abcdef"
