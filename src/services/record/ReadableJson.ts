/**
 * Limits of a resource that is parsed. Any JSON within both limits fits a process's heap; a full heap would end the
 * process. No resource of an honest record has a tenth of `maxValues`.
 */
const maxBytes = 32 * 1024 * 1024

const maxValues = 200_000

/** Checking this many bytes takes less than a millisecond. */
const stepBytes = 256 * 1024

/** Checks, step by step, whether JSON is small enough to parse. A comma or bracket in a string counts as a value. */
export function* isReadable(bytes: Uint8Array): Generator<void, boolean> {
  if (bytes.length > maxBytes) return false
  if (bytes.length <= maxValues) return true
  let values = 0
  for (let from = 0; from < bytes.length; from += stepBytes) {
    for (const byte of bytes.subarray(from, from + stepBytes)) {
      if ((byte === 0x2c || byte === 0x5b || byte === 0x7b) && ++values > maxValues) return false
    }
    yield
  }
  return true
}
