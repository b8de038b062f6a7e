import { Context, Effect, identity, Layer, Predicate } from "effect"
import { HttpServerRequest } from "effect/http"
import { HttpApi, type HttpApiEndpoint, HttpApiMiddleware } from "effect/http-api"
import { isUtf8 } from "node:buffer"
import { InvalidJson, InvalidRequest, PayloadTooLarge } from "../../domain/Errors.ts"
import type { Limit } from "../../domain/RateLimit.ts"
import { ByteBudget } from "../../services/platform/ByteBudget.ts"
import { RateLimits } from "../../services/platform/RateLimits.ts"
import { Settings } from "../../services/platform/Settings.ts"
import { depthOf, maximumDepth } from "../../services/record/JsonCut.ts"
import { SyncQueue } from "../../services/record/SyncQueue.ts"
import { CurrentVeteran } from "../contract/Authorization.ts"
import {
  AddressRateLimit,
  BodyLimit,
  LargeAnswer,
  LimitShared,
  QueryAndBody,
  RateLimit,
  RequestBytes,
  RequestQuery,
  SchemaErrors,
  SyncTurn
} from "../contract/RequestLimits.ts"
import { Answers, crowdedAnswer } from "./Answers.ts"
import { readBody } from "./BodyReader.ts"
import { clientAddress, networksAround } from "./ClientAddress.ts"
import { parseForm, takesForm, takesParameters, withForm } from "./FormBody.ts"
import { holderOf, signedInAt } from "./Holder.ts"
import { isList, makeListTurns } from "./ListTurns.ts"
import { SlowClients } from "./SlowClients.ts"

/** Limits use the route's template as their key, never the URL. */
export const templateOf = (endpoint: HttpApiEndpoint.Top) => `${endpoint.method} ${endpoint.path}`

/** Paths by which somebody takes back what they gave, or signs out. "sessions" lists what can be ended. */
const takingBack = /\/(end|end-all|stop|stop-all|revoke|remove|cancel|logout|sessions)$/

interface EndpointLimit {
  readonly template: string
  readonly limit: Limit
  /** Each session has its permits, so that a thief with another one cannot use up those by which the owner ends it. */
  readonly isBySession: boolean
}

const limited = new WeakMap<HttpApiEndpoint.Top, EndpointLimit>()

/** Returns the rate limit of an endpoint and its key, from a cache. */
export const limitOf = (endpoint: HttpApiEndpoint.Top) => {
  let limit = limited.get(endpoint)
  if (limit === undefined) {
    const { annotations } = endpoint
    const template = Context.get(annotations, LimitShared) ?? templateOf(endpoint)
    const isBySession = endpoint.method === "DELETE" || takingBack.test(endpoint.path)
    limit = { template, limit: Context.get(annotations, RateLimit), isBySession }
    limited.set(endpoint, limit)
  }
  return limit
}

const AddressRateLimitLive = Layer.effect(
  AddressRateLimit,
  Effect.gen(function*() {
    const limits = yield* RateLimits
    const settings = yield* Settings
    const { trustedProxyHops } = settings
    return AddressRateLimit.of(Effect.fnUntraced(function*(httpEffect, { endpoint }) {
      const request = yield* HttpServerRequest.HttpServerRequest
      const { limit: declared, template } = limitOf(endpoint)
      const { permitsBy } = declared
      const limit = permitsBy === undefined ? declared : { ...declared, permits: settings[permitsBy] }
      const client = clientAddress(request, trustedProxyHops)
      yield* limits.spend(template, client, limit)
      for (const [network, times] of networksAround(client)) {
        yield* limits.spend(template, network, { ...limit, permits: times * limit.permits })
      }
      return yield* httpEffect
    }))
  })
)

const refuseQuery = Effect.flatMap(HttpServerRequest.ParsedSearchParams, (params) => {
  const names = Object.keys(params)
  if (names.length === 0) return Effect.void
  // A query schema gives the same message. A schema without fields cannot: it accepts every parameter.
  const message = "Expected no excess property"
  return Effect.fail(new InvalidRequest({ issues: names.slice(0, 50).map((name) => ({ path: [name], message })) }))
})

const RequestQueryLive = Layer.succeed(
  RequestQuery,
  (httpEffect, { endpoint }) => endpoint.query === undefined ? Effect.andThen(refuseQuery, httpEffect) : httpEffect
)

const takesAnyQuery = ({ annotations }: HttpApiEndpoint.Top) =>
  Context.getOrUndefined(annotations, HttpApi.QueryParseOptions)?.onExcessProperty === "ignore"

const QueryAndBodyLive = Layer.effect(
  QueryAndBody,
  Effect.gen(function*() {
    const budget = yield* ByteBudget
    const answers = yield* Answers
    const slowClients = yield* SlowClients
    const { trustedProxyHops } = yield* Settings
    const withHold: QueryAndBody["Service"] = Effect.fnUntraced(function*(httpEffect, { endpoint }) {
      const request = yield* HttpServerRequest.HttpServerRequest
      const inTurn = Context.get(endpoint.annotations, LargeAnswer) ? answers.inTurn(request) : identity
      if (endpoint.method === "GET") {
        return yield* inTurn(Effect.provideService(httpEffect, RequestBytes, noBytes))
      }
      const hold = budget.open(holderOf(request, trustedProxyHops))
      const limit = Context.get(endpoint.annotations, BodyLimit)
      const [form, parameters] = [takesForm(endpoint), takesParameters(endpoint)]
      return yield* Effect.gen(function*() {
        const reading = readBody(request, { ...limit, form, parameters }, { hold, slowClients })
        const bytes = yield* Effect.catchTag(reading, "ServiceUnavailable", () => Effect.undefined)
        // The contract does not declare this 503, because the session exchange has a 503 with another meaning.
        if (bytes === undefined) return crowdedAnswer
        // No text parser is applied to a sync: SyncRequest.ts parses its bytes.
        const withText = limit.encodings.length > 0 || parameters
          ? request
          : form
          ? withForm(request, yield* parseForm(bytes))
          : withBody(request, yield* checkJson(bytes, endpoint.payload.size > 0))
        if (limit.besides !== undefined) yield* checkBeside(bytes, limit.bytes, limit.besides.member)
        return yield* inTurn(Effect.provideContext(
          httpEffect,
          Context.make(RequestBytes, bytes).pipe(Context.add(HttpServerRequest.HttpServerRequest, withText))
        ))
      }).pipe(Effect.ensuring(Effect.sync(hold.release)))
    })
    const listTurnOf = makeListTurns()
    /** An operator's lists take no turns. */
    const listed = <A, E, R>(answer: Effect.Effect<A, E, R>) =>
      Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
        const person = signedInAt(request)
        return person === undefined ? answer : listTurnOf(person)(answer)
      })
    return (httpEffect, options) => {
      const { annotations, method, query } = options.endpoint
      const bare = Effect.provideService(httpEffect, RequestBytes, noBytes)
      // Most reads need no hold on the byte budget, so they skip its code. Large answers take other turns.
      const read = method !== "GET" || Context.get(annotations, LargeAnswer)
        ? withHold(httpEffect, options)
        : isList(options.endpoint)
        ? listed(bare)
        : bare
      return query === undefined && !takesAnyQuery(options.endpoint) ? Effect.andThen(refuseQuery, read) : read
    }
  })
)

const noBytes = Buffer.alloc(0)

/** Returns the body's text. An endpoint without a payload takes only an empty body or `{}`. */
const checkJson = (bytes: Buffer, takesPayload: boolean): Effect.Effect<string, InvalidJson | InvalidRequest> => {
  if (bytes.length === 0) return takesPayload ? Effect.fail(new InvalidJson()) : Effect.succeed("")
  if (!isUtf8(bytes)) return Effect.fail(new InvalidJson())
  const text = bytes.toString()
  const tooDeep = depthOf(bytes) > maximumDepth
  if (takesPayload && !tooDeep) return Effect.succeed(text)
  return parseJson(text).pipe(
    Effect.filterOrFail(
      (value) => !tooDeep && JSON.stringify(value) === "{}",
      () => InvalidRequest.at([], tooDeep ? `Expected at most ${maximumDepth} levels of nesting` : "Expected no body")
    ),
    Effect.as(text)
  )
}

const parseJson = (text: string): Effect.Effect<unknown, InvalidJson> =>
  Effect.try({ try: () => JSON.parse(text), catch: () => new InvalidJson() })

/** Refuses a body that is larger than `maxBytes`, not counting the text at the path `member`. */
const checkBeside = Effect.fnUntraced(function*(bytes: Buffer, maxBytes: number, member: ReadonlyArray<string>) {
  const json = yield* parseJson(bytes.toString())
  const text = member.reduce<unknown>(
    (value, key) => Predicate.hasProperty(value, key) ? value[key] : undefined,
    json
  )
  const length = typeof text === "string" ? text.length : 0
  if (bytes.length - length > maxBytes) return yield* new PayloadTooLarge()
})

const withBody = (request: HttpServerRequest.HttpServerRequest, text: string): HttpServerRequest.HttpServerRequest =>
  Object.create(request, { text: { value: Effect.succeed(text) } })

const SyncTurnLive = Layer.effect(
  SyncTurn,
  Effect.gen(function*() {
    const { inTurn } = yield* SyncQueue
    return SyncTurn.of((httpEffect) => Effect.flatMap(CurrentVeteran, ({ veteranId }) => inTurn(veteranId)(httpEffect)))
  })
)

const SchemaErrorsLive = HttpApiMiddleware.layerSchemaErrorTransform(SchemaErrors, (error) => {
  // An answer that cannot be encoded is the service's fault, not the client's.
  if (error.kind === "Body" || error.kind === "ResponseHeaders") return Effect.fail(error)
  const malformed = error.kind === "Payload" && error.cause.issue._tag === "InvalidValue"
  return Effect.fail(malformed ? new InvalidJson() : InvalidRequest.of(error.cause))
})

export const RequestLimitsLive = Layer.mergeAll(
  AddressRateLimitLive,
  RequestQueryLive,
  QueryAndBodyLive,
  SyncTurnLive,
  SchemaErrorsLive
)
