import { Effect, Stream } from "effect"
import { HttpServerRequest, Multipart } from "effect/http"
import { InvalidRequest, PayloadTooLarge, UnsupportedMediaType } from "../domain/Errors.ts"
import type { Upload } from "../services/document/Documents.ts"

type UploadError = InvalidRequest | PayloadTooLarge

const maximumFile = 25 * 1024 * 1024

/** The body is larger than its file by boundaries and part headers. */
const maximumBody = maximumFile + 64 * 1024

/**
 * Answers the one file of a `multipart/form-data` body (RFC 7578) as it arrives. The stream ends well only when the whole
 * body did: whoever stores it has nothing to take back.
 */
export const receiveFile: Effect.Effect<
  Upload<UploadError>,
  PayloadTooLarge | UnsupportedMediaType,
  HttpServerRequest.HttpServerRequest
> = Effect.gen(function*() {
  const request = yield* HttpServerRequest.HttpServerRequest
  const { headers } = request
  if (!/^multipart\/form-data\s*;/i.test(headers["content-type"] ?? "") || headers["content-encoding"] !== undefined) {
    return yield* new UnsupportedMediaType({ message: "This route takes 'multipart/form-data' with a field 'file'." })
  }
  if (Number(headers["content-length"]) > maximumBody) return yield* new PayloadTooLarge()

  let name: string | undefined
  const content = request.multipartStream.pipe(
    Stream.flatMap((part): Stream.Stream<Uint8Array, UploadError | Multipart.MultipartError> => {
      if (part._tag !== "File" || part.key !== "file" || name !== undefined) {
        return Stream.fail(InvalidRequest.at([part.key], "Expected one file in the field 'file' and no other field"))
      }
      name = part.name
      return atMost(maximumFile, part.content)
    }),
    Stream.catchTag(
      "MultipartError",
      ({ reason }) => Stream.fail(/Large|Many/.test(reason._tag) ? new PayloadTooLarge() : malformed)
    ),
    Stream.concat(
      Stream.suspend(() =>
        name === undefined ? Stream.fail(InvalidRequest.at(["file"], "Expected a file")) : Stream.empty
      )
    ),
    Stream.provideContext(Multipart.limitsServices({
      maxParts: 4,
      maxFieldSize: 1024,
      maxTotalSize: maximumBody
    }))
  )
  return { content, name: () => name! }
})

const malformed = InvalidRequest.at([], "Expected a whole multipart body")

const atMost = <E, R>(most: number, content: Stream.Stream<Uint8Array, E, R>) => {
  let size = 0
  return Stream.tap(
    content,
    (chunk) => (size += chunk.length) > most ? Effect.fail(new PayloadTooLarge()) : Effect.void
  )
}
