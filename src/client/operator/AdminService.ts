import { Context, Effect, Layer, Redacted, Stream } from "effect"
import { HttpClient, HttpClientRequest, type HttpClientResponse, type HttpMethod } from "effect/http"
import { failure, type OperatorFailed } from "./Failure.ts"

export interface Address {
  readonly url: string
  readonly secret: Redacted.Redacted
}

interface Asked {
  readonly query?: Readonly<Record<string, string | undefined>>
  readonly body?: unknown
}

/** The operator's routes of a running service. */
export class AdminService extends Context.Service<AdminService, {
  /** Returns the answer's JSON, or undefined if the answer has no body. `path` is that after `/api/admin`. */
  readonly ask: (method: HttpMethod.HttpMethod, path: string, asked?: Asked) => Effect.Effect<any, OperatorFailed>
  /** Returns the bytes of an answer as they arrive. */
  readonly download: (
    path: string,
    body: unknown
  ) => Effect.Effect<Stream.Stream<Uint8Array, OperatorFailed>, OperatorFailed>
}>()("vrss/client/operator/AdminService") {
  static readonly layer = ({ secret, url }: Address) =>
    Layer.effect(
      AdminService,
      Effect.map(HttpClient.HttpClient, (client) => {
        const send = (method: HttpMethod.HttpMethod, path: string, { body, query = {} }: Asked) => {
          const request = HttpClientRequest.make(method)(`${url}/api/admin${path}`).pipe(
            HttpClientRequest.setHeader("x-internal-admin-secret", Redacted.value(secret)),
            HttpClientRequest.setUrlParams(query)
          )
          return client.execute(body === undefined ? request : HttpClientRequest.bodyJsonUnsafe(request, body)).pipe(
            Effect.mapError(() =>
              failure("failed", `No service answers at ${url}. Is it running? Name another by --url or OPERATOR_URL.`)
            )
          )
        }
        const cut = () => failure("failed", `The answer of ${url} was cut. Try again.`)
        const textOf = (response: HttpClientResponse.HttpClientResponse) => Effect.mapError(response.text, cut)

        const refusal = Effect.fnUntraced(function*(response: HttpClientResponse.HttpClientResponse) {
          return refusalOf(url, response.status, yield* jsonOf(url, yield* textOf(response)))
        })

        return AdminService.of({
          ask: Effect.fnUntraced(function*(method, path, asked = {}) {
            const response = yield* send(method, path, asked).pipe(
              Effect.timeoutOrElse({
                duration: "60 seconds",
                orElse: () => Effect.fail(failure("failed", `${url} gave no answer within a minute. Try again.`))
              })
            )
            if (response.status < 200 || response.status > 299) return yield* yield* refusal(response)
            const text = yield* textOf(response)
            return text === "" ? undefined : yield* jsonOf(url, text)
          }),
          download: Effect.fnUntraced(function*(path, body) {
            const response = yield* send("POST", path, { body })
            if (response.status !== 200) return yield* yield* refusal(response)
            return Stream.mapError(response.stream, cut)
          })
        })
      })
    )
}

/** Asks the service that the command is about. */
export const ask = (...asked: Parameters<AdminService["Service"]["ask"]>) =>
  AdminService.use((service) => service.ask(...asked))

const jsonOf = (url: string, text: string): Effect.Effect<any, OperatorFailed> =>
  Effect.try({
    try: () => JSON.parse(text),
    catch: () => failure("failed", `What answers at ${url} is not this service. Check --url or OPERATOR_URL.`)
  })

const refusalOf = (url: string, status: number, body: any): OperatorFailed => {
  const { issues = [], message, requestId, retryAfterSeconds } = body ?? {}
  const told = `${message ?? `The service answered ${status}.`}${requestId === undefined ? "" : ` (${requestId})`}`
  switch (status) {
    case 400: {
      const named = issues.map(({ message, path }: any) => `${path.join(".")}: ${message}`)
      return failure("refused", [told, ...named].join("\n"))
    }
    case 401:
      return failure(
        "secret",
        `${url} does not know this secret. Set OPERATOR_SECRET to one of its INTERNAL_ADMIN_SECRET, without the name.`
      )
    case 404:
      return failure("unknown", `${url} has no such person or thing, or is of a version without this command. ${told}`)
    case 409:
      return failure("refused", told)
    case 429:
      return failure(
        "secret",
        `Too many requests, or too many wrong secrets from this address: wait ${retryAfterSeconds} seconds. A right ` +
          "secret is not limited, so check OPERATOR_SECRET."
      )
    default:
      return failure("failed", told)
  }
}
