/**
 * The maximum length, in characters, of a code, system or reference that is read. A longer one is kept as it was sent,
 * and its item counts as an item of all sensitive categories (contract, part 5, "Bounds"). The length is checked before
 * normalization (NFKC), which may turn one character into 18.
 */
export const maxReadLength = 4096
