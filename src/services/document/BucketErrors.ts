import { StorageFull } from "../../domain/Document.ts"
import { SealBroken, ServiceUnavailable } from "../../domain/Errors.ts"

/** The bucket did not do what it was asked. `code` is a word of its protocol or of the system, and safe to log. */
export class BucketRefused extends Error {
  readonly code: string
  readonly status: number | undefined

  constructor(code: string, status?: number) {
    super(`upload bucket: ${code}`)
    this.code = code
    this.status = status
  }

  get isMissing() {
    return this.code === "NoSuchKey" || this.code === "NotFound"
  }

  get isOutOfRange() {
    return this.status === 416 || this.code === "InvalidRange"
  }

  /** The store has no room, by its own words or by the status that WebDAV made for it. */
  get isFull() {
    return this.status === 507 || ["QuotaExceeded", "XMinioStorageFull", "InsufficientStorage"].includes(this.code)
  }
}

/** No code has a digit. Keys and ids of credentials have some, and a store may say them in place of a code. */
const isCode = /^[A-Za-z_]{2,60}$/

/** What the SDK throws, without its message: that quotes hosts, keys and what the store wrote. */
export const refusalOf = (error: unknown) => {
  if (error instanceof SealBroken || error instanceof BucketRefused) return error
  const { $metadata, code, name } = error as {
    readonly $metadata?: { readonly httpStatusCode?: number }
    readonly code?: unknown
    readonly name?: unknown
  }
  const word = [code, name].find((word) => typeof word === "string" && isCode.test(word) && word !== "Error")
  return new BucketRefused(`${word ?? "Unknown"}`, $metadata?.httpStatusCode)
}

/** The failure of a request whose file could not be stored. */
export const failureOf = ({ isFull }: BucketRefused) => isFull ? new StorageFull() : new ServiceUnavailable()
