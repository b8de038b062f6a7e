import { maxReleaseItems, releaseRefusals } from "../../domain/ReleaseRefusals.ts"

/** Limits of a release: items, bytes of resources, and bytes of resources and documents together (contract, part 6). */
const max = { items: maxReleaseItems, resources: 64 * 1024 * 1024, all: 100 * 1024 * 1024 }

/** The release is too large. The message explains how to narrow it and reveals only the limit. */
export class ReleaseTooLarge extends Error {}

/** Returns a function that counts a released item before it is stored. Beyond a limit it throws `ReleaseTooLarge`. */
export const makeBounds = (documentBytes: number) => {
  let [items, bytes] = [0, 0]
  const look = () => {
    if (items > max.items) {
      throw new ReleaseTooLarge(releaseRefusals.tooManyItems)
    }
    if (bytes > max.resources) {
      throw new ReleaseTooLarge(releaseRefusals.tooLargeRecord)
    }
    if (bytes + documentBytes > max.all) {
      throw new ReleaseTooLarge(releaseRefusals.tooLarge)
    }
  }
  look()
  return (size: number) => {
    items++
    bytes += size
    look()
  }
}
