/** A release holds so many items, and so many bytes of their resources and with its documents (contract, part 6). */
const most = { items: 20_000, resources: 64 * 1024 * 1024, all: 100 * 1024 * 1024 }

/** What is released is too much; the message says how to narrow it, and tells of nothing but the bound. */
export class TooMuch extends Error {}

/**
 * Counts what is released, which alone is counted, and throws `TooMuch` before anything of it is stored. Sizes are in bytes.
 */
export const makeBounds = (documentBytes: number) => {
  let [items, bytes] = [0, 0]
  const look = () => {
    if (items > most.items) {
      throw new TooMuch(
        "A release holds 20,000 items at most. Choose fewer kinds of record, or a shorter range of dates."
      )
    }
    if (bytes > most.resources) {
      throw new TooMuch(
        "A release holds 64 MiB of record at most. Choose fewer kinds of record, or a shorter range of dates."
      )
    }
    if (bytes + documentBytes > most.all) {
      throw new TooMuch(
        "A release holds 100 MiB at most with its documents. Choose fewer documents, fewer kinds of record, or a shorter " +
          "range of dates."
      )
    }
  }
  look()
  return (size: number) => {
    items++
    bytes += size
    look()
  }
}
