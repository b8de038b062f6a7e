import { type Cause, Effect, ErrorReporter, type Option, Schema, SchemaIssue } from "effect"
import { Count } from "./Scalars.ts"

const body = <const Code extends string>(code: Code, message: string) => ({
  error: Schema.tag(code),
  message: Schema.String.pipe(Schema.withConstructorDefault(Effect.succeed(message))),
  requestId: Schema.optionalKey(Schema.String)
})

type Body<Code extends string> = ReturnType<typeof body<Code>>

/**
 * The API's error body: `{"error": code, "message": sentence, "requestId": id}`. `requestId` is set where every answer
 * passes (`http/wire/Responses.ts`), so that the framework's own errors have it too.
 */
export const ApiError =
  <Self>() =>
  <const Tag extends string, const Code extends string, const Fields extends Schema.Struct.Fields = {}>(
    tag: Tag,
    options: { readonly code: Code; readonly status: number; readonly message: string; readonly fields?: Fields }
  ): Schema.Class<Self, Schema.Struct<Body<Code> & Fields>, Cause.YieldableError & { readonly _tag: Tag }> => {
    // Without this identifier, the body would be called `${tag}Encoded` in the OpenAPI document.
    const Base = Schema.Error<any>(tag)(
      Schema.Struct({ ...body(options.code, options.message), ...options.fields }).annotate({ identifier: tag }),
      { httpApiStatus: options.status, description: options.message }
    )
    // An error below 500 is a planned answer to a client, not a fault of the service, so it is not reported.
    Object.assign(Base.prototype, { _tag: tag, [ErrorReporter.ignore]: options.status < 500 })
    return Base as never
  }

export class Unauthenticated extends ApiError<Unauthenticated>()("Unauthenticated", {
  code: "unauthenticated",
  status: 401,
  message: "A valid access token is needed: send it as 'Authorization: Bearer <token>'."
}) {}

export class Forbidden extends ApiError<Forbidden>()("Forbidden", {
  code: "forbidden",
  status: 403,
  message: "This kind of token may not use this route."
}) {}

export class NotFound extends ApiError<NotFound>()("NotFound", {
  code: "not_found",
  status: 404,
  message: "There is no such resource."
}) {}

/** Returns the value of the Option, or fails if there is none. */
export const orNotFound = <A, E, R>(found: Effect.Effect<Option.Option<A>, E, R>) =>
  Effect.flatMap(found, (option) => Effect.mapError(Effect.fromOption(option), () => new NotFound()))

export class Conflict extends ApiError<Conflict>()("Conflict", {
  code: "conflict",
  status: 409,
  message: "The resource is in a state that does not allow this step."
}) {}

/** The digest of a conditional sync differs from that of the stored resources, so the resources must be sent. */
export class SyncRequired extends ApiError<SyncRequired>()("SyncRequired", {
  code: "sync_required",
  status: 409,
  message: "The stored resources of these types differ from yours: send all of them.",
  fields: { resourceTypes: Schema.Array(Schema.String) }
}) {}

export class InvalidJson extends ApiError<InvalidJson>()("InvalidJson", {
  code: "invalid_json",
  status: 400,
  message: "The request body is not valid JSON in UTF-8."
}) {}

export class InvalidRequest extends ApiError<InvalidRequest>()("InvalidRequest", {
  code: "invalid_request",
  status: 400,
  message: "The request does not fit the schema: see 'issues'.",
  fields: {
    issues: Schema.Array(Schema.Struct({
      path: Schema.Array(Schema.Union([Schema.String, Schema.Finite])),
      message: Schema.String
    }))
  }
}) {
  static at(path: ReadonlyArray<string | number>, message: string) {
    return new InvalidRequest({ issues: [{ path, message }] })
  }

  /** Each issue has the path and the expected form, never a value that was sent. */
  static of({ issue }: Schema.SchemaError) {
    const issues = formatIssues(issue).issues.slice(0, 50).map(({ message, path = [] }) => ({
      path: path.map((segment) => typeof segment === "object" ? segment.key : segment).map((key) =>
        typeof key === "number" ? key : String(key)
      ),
      message
    }))
    return new InvalidRequest({ issues })
  }
}

const formatIssues = SchemaIssue.makeFormatterStandardSchemaV1()

/** The service answers and closes the connection, without waiting for the rest of the body (RFC 9110, 15.5.9). */
export class RequestTimeout extends ApiError<RequestTimeout>()("RequestTimeout", {
  code: "request_timeout",
  status: 408,
  message: "The request body did not arrive in time: send it again, without a pause."
}) {}

export class PayloadTooLarge extends ApiError<PayloadTooLarge>()("PayloadTooLarge", {
  code: "payload_too_large",
  status: 413,
  message: "The request body is larger than this route takes."
}) {
  static readonly resources = {
    message: "A sync takes at most 100,000 resources: send some of the types in another one."
  }
}

export class UnsupportedMediaType extends ApiError<UnsupportedMediaType>()("UnsupportedMediaType", {
  code: "unsupported_media_type",
  status: 415,
  message: "This route takes 'application/json' in UTF-8 and no other content type or encoding."
}) {
  static readonly form = {
    message: "This route takes 'application/x-www-form-urlencoded' in UTF-8 and no other content type or encoding."
  }
  static readonly parameters = {
    message: "This route takes 'application/fhir+json' or 'application/x-www-form-urlencoded' in UTF-8, unencoded."
  }
}

/** A dependency is out of reach, or too much work is under way; the same request may succeed later. */
export class ServiceUnavailable extends ApiError<ServiceUnavailable>()("ServiceUnavailable", {
  code: "service_unavailable",
  status: 503,
  message: "The service cannot reach something it needs. Try again in a moment.",
  fields: { retryAfterSeconds: Schema.optionalKey(Count) }
}) {
  /** A client that waits 10 seconds each time stays within the limit of 6 syncs a minute. */
  static readonly crowded = {
    message: "The service holds as much as it can at the moment. Try again in a few seconds.",
    retryAfterSeconds: 10
  }
}

/** A ciphertext that was truncated, altered or copied to another place, or whose key is not in the keyring. */
export class SealBroken extends ApiError<SealBroken>()("SealBroken", {
  code: "internal_error",
  status: 500,
  message: "Stored data could not be read back intact."
}) {}
