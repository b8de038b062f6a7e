import { Effect, Stream } from "effect"
import { HttpServerRequest, Multipart } from "effect/http"
import { InvalidRequest, PayloadTooLarge, UnsupportedMediaType } from "../domain/Errors.ts"
import { atMost, type Upload } from "../services/document/Documents.ts"

type UploadError = InvalidRequest | PayloadTooLarge

const maximumFile = 25 * 1024 * 1024

/** The body is larger than its file by boundaries and part headers. */
const maximumAround = 64 * 1024

const maximumBody = maximumFile + maximumAround

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
  const declared = Number(headers["content-length"] ?? 0)
  if (declared > maximumBody) return yield* new PayloadTooLarge()

  let name: string | undefined
  const content = request.multipartStream.pipe(
    Stream.flatMap((part): Stream.Stream<Uint8Array, UploadError | Multipart.MultipartError> => {
      if (part._tag !== "File" || part.key !== "file" || name !== undefined) {
        return Stream.fail(InvalidRequest.at([part.key], "Expected one file in the field 'file' and no other field"))
      }
      name = unescaped(part.name)
      return atMost(maximumFile, part.content, () => new PayloadTooLarge())
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
  return { content, name: () => name!, atLeast: Math.max(0, declared - maximumAround) }
})

/**
 * A file's name as it was before a browser put it between quotes. The HTML standard ("multipart/form-data encoding
 * algorithm") escapes these three characters and no other, not even the percent sign: a name that literally holds `%22`
 * arrives alike, and reads as if it held a quote.
 */
const unescaped = (name: string) =>
  name.replace(/%22|%0D|%0A/g, (escape) => String.fromCharCode(Number.parseInt(escape.slice(1), 16)))

const malformed = InvalidRequest.at([], "Expected a whole multipart body")
