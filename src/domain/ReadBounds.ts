/**
 * A code, system or reference with more characters is kept as it was sent and not read: its item counts as all categories
 * (contract, part 5, "Bounds"). The length is looked at before anything copies the text, for a character may grow to 18.
 */
export const maxReadLength = 4096
