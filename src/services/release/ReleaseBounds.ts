/** Limits of a release: items, bytes of resources, and bytes of resources and documents together (contract, part 6). */
const max = { items: 20_000, resources: 64 * 1024 * 1024, all: 100 * 1024 * 1024 }

/** The release is too large. The message explains how to narrow it and reveals only the limit. */
export class ReleaseTooLarge extends Error {}

/** Returns a function that counts a released item before it is stored. Beyond a limit it throws `ReleaseTooLarge`. */
export const makeBounds = (documentBytes: number) => {
  let [items, bytes] = [0, 0]
  const look = () => {
    if (items > max.items) {
      throw new ReleaseTooLarge(
        "A release holds 20,000 items at most. Choose fewer kinds of record, or a shorter range of dates."
      )
    }
    if (bytes > max.resources) {
      throw new ReleaseTooLarge(
        "A release holds 64 MiB of record at most. Choose fewer kinds of record, or a shorter range of dates."
      )
    }
    if (bytes + documentBytes > max.all) {
      throw new ReleaseTooLarge(
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
