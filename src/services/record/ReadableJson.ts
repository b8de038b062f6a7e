/**
 * In bytes. What is parsed of this much, and of `maxValues`, fits a process's heap, whatever it is. No resource of an
 * honest record has a tenth of the values. A full heap would end the process.
 */
const maxBytes = 32 * 1024 * 1024

const maxValues = 200_000

/** To look at so many bytes takes less than a millisecond. */
const stepBytes = 256 * 1024

/** Tells, step by step, whether JSON is small enough to be read. It counts what begins or parts values; in strings it may find more. */
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
