import type { HttpServerRequest } from "effect/http"
import Negotiator from "negotiator"

type Request = Pick<HttpServerRequest.HttpServerRequest, "headers">

/** Tells whether the client would rather have `mediaType` than JSON (RFC 9110, 12.5.1). */
export const prefers = ({ headers }: Request, mediaType: string): boolean =>
  new Negotiator({ headers }).mediaType(["application/json", mediaType]) === mediaType

/** The codings that answers are compressed with, the one first that compresses a record better in a fifth of the time. */
export const codings = ["zstd", "gzip"] as const

export type Coding = typeof codings[number]

/** The published types are of a version before it took a preference among what the client likes equally. */
interface WithPreference {
  readonly encodings: (
    available?: ReadonlyArray<string>,
    options?: { readonly preferred: ReadonlyArray<string> }
  ) => ReadonlyArray<string>
}

/**
 * Returns the coding that the client likes best, and our first of those that it likes equally (RFC 9110, 12.5.3); undefined
 * if the answer goes as it is. Zstd must be named, because clients that say `*` often cannot read it.
 */
export const acceptedCoding = ({ headers }: Request): Coding | undefined => {
  if (headers["accept-encoding"] === undefined) return undefined
  const negotiator: WithPreference = new Negotiator({ headers })
  const namesZstd = negotiator.encodings().some((name) => name.toLowerCase() === "zstd")
  const offered = namesZstd ? codings : codings.filter((coding) => coding !== "zstd")
  const [best] = negotiator.encodings([...offered, "identity"], { preferred: offered })
  return codings.find((coding) => coding === best)
}

/** Names another header in `vary` that the answer depends on. */
export const varyBy = (vary: string | undefined, name: string) => vary === undefined ? name : `${vary}, ${name}`
