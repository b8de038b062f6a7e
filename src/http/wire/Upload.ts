import { Effect, Stream } from "effect"
import { type HttpServerRequest, Multipart } from "effect/http"
import {
  InvalidRequest,
  PayloadTooLarge,
  RequestTimeout,
  ServiceUnavailable,
  UnsupportedMediaType
} from "../../domain/Errors.ts"
import { atMost, type Upload } from "../../services/document/Documents.ts"
import { ByteBudget } from "../../services/platform/ByteBudget.ts"
import { Settings } from "../../services/platform/Settings.ts"
import { streamBytes } from "./Answers.ts"
import { holderOf } from "./Holder.ts"
import { incomingOf, onGone, outgoingOf } from "./Http1.ts"
import { SlowClients } from "./SlowClients.ts"

type UploadError = InvalidRequest | PayloadTooLarge | RequestTimeout

const maximumFile = 25 * 1024 * 1024

/** Boundaries and part headers make the body larger than its file, by at most this many bytes. */
const maximumAround = 64 * 1024

const maximumBody = maximumFile + maximumAround

type Refusal = PayloadTooLarge | ServiceUnavailable | UnsupportedMediaType

/** Streams the one file of a `multipart/form-data` body (RFC 7578), and fails if the body is not valid to its end. */
export const makeReceiveFile = Effect.gen(function*() {
  const budget = yield* ByteBudget
  const slowClients = yield* SlowClients
  const { trustedProxyHops } = yield* Settings
  return Effect.fnUntraced(function*(
    request: HttpServerRequest.HttpServerRequest
  ): Effect.fn.Return<Upload<UploadError>, Refusal> {
    const { headers } = request
    if (
      !/^multipart\/form-data\s*;/i.test(headers["content-type"] ?? "") || headers["content-encoding"] !== undefined
    ) {
      return yield* new UnsupportedMediaType({ message: "This route takes 'multipart/form-data' with a field 'file'." })
    }
    const declared = Number(headers["content-length"] ?? 0)
    const length = declared || maximumBody
    if (length > maximumBody) return yield* new PayloadTooLarge()
    const hold = budget.open(holderOf(request, trustedProxyHops))
    if (!hold.resize(Math.min(length, streamBytes))) return yield* new ServiceUnavailable(ServiceUnavailable.crowded)
    onGone(outgoingOf(request), hold.release)
    const tooSlow = Effect.callback<never, RequestTimeout>((resume) => {
      const source = incomingOf(request)
      return Effect.sync(slowClients.watchBody(source, length, () => resume(Effect.fail(new RequestTimeout()))))
    })

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
    return {
      content: Stream.interruptWhen(content, tooSlow),
      name: () => name!,
      atLeast: Math.max(0, declared - maximumAround)
    }
  })
})

/**
 * Decodes a file's name. The HTML standard ("multipart/form-data encoding algorithm") escapes only the double quote, CR
 * and LF, not the percent sign. A name that contains `%22` is therefore read as if it contained a quote.
 */
const unescaped = (name: string) =>
  name.replace(/%22|%0D|%0A/g, (escape) => String.fromCharCode(Number.parseInt(escape.slice(1), 16)))

const malformed = InvalidRequest.at([], "Expected a whole multipart body")
