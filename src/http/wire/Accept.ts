import type { HttpServerRequest } from "effect/http"
import Negotiator from "negotiator"

type Request = Pick<HttpServerRequest.HttpServerRequest, "headers">

/** Whether the client prefers `mediaType` to JSON (RFC 9110, 12.5.1). */
export const prefers = ({ headers }: Request, mediaType: string): boolean =>
  new Negotiator({ headers }).mediaType(["application/json", mediaType]) === mediaType

/** The content codings of answers. Zstd compresses a record better than gzip, in a fifth of the time. */
export const codings = ["zstd", "gzip"] as const

export type Coding = typeof codings[number]

/** The npm package's types lack its option `preferred`, which orders codings that the client accepts equally. */
interface WithPreference {
  readonly encodings: (
    available?: ReadonlyArray<string>,
    options?: { readonly preferred: ReadonlyArray<string> }
  ) => ReadonlyArray<string>
}

/**
 * Returns the coding that the client prefers (RFC 9110, 12.5.3). If it accepts several equally, returns the first of
 * them in `codings`. Zstd must be named, because clients that send `*` often cannot read it.
 * @returns undefined if the answer is not to be compressed
 */
export const acceptedCoding = ({ headers }: Request): Coding | undefined => {
  if (headers["accept-encoding"] === undefined) return undefined
  const negotiator: WithPreference = new Negotiator({ headers })
  const namesZstd = negotiator.encodings().some((name) => name.toLowerCase() === "zstd")
  const offered = namesZstd ? codings : codings.filter((coding) => coding !== "zstd")
  const [best] = negotiator.encodings([...offered, "identity"], { preferred: offered })
  return codings.find((coding) => coding === best)
}

export const varyBy = (vary: string | undefined, name: string) => vary === undefined ? name : `${vary}, ${name}`
