import { HttpBody, type HttpServerRequest } from "effect/http"
import { failure, type IssueCode } from "../../services/fhir/OperationOutcome.ts"

interface Refusal {
  readonly status: number
  readonly problem: {
    readonly error: string
    readonly message: string
    readonly requestId: string
    readonly issues?: ReadonlyArray<{ readonly path: ReadonlyArray<string | number>; readonly message: string }>
  }
}

const codes: Readonly<Record<number, IssueCode>> = {
  400: "invalid",
  401: "login",
  403: "forbidden",
  404: "not-found",
  405: "not-supported",
  406: "not-supported",
  408: "timeout",
  413: "too-long",
  415: "not-supported",
  421: "not-supported",
  429: "throttled",
  503: "transient"
}

/** Errors that share their status with others. */
const ofError: Readonly<Record<string, IssueCode>> = { not_supported: "not-supported", too_costly: "too-costly" }

const codeOf = ({ status, problem: { error } }: Refusal): IssueCode => ofError[error] ?? codes[status] ?? "exception"

/** The challenge to a request without a token has no error code (RFC 6750, 3.1). */
const challengeOf = (status: number, authorization = "") => {
  if (status === 403) return { "www-authenticate": "Bearer error=\"insufficient_scope\"" }
  if (status !== 401) return {}
  return { "www-authenticate": /^bearer +\S/i.test(authorization) ? "Bearer error=\"invalid_token\"" : "Bearer" }
}

export const outcomeForm = (refusal: Refusal, { headers }: HttpServerRequest.HttpServerRequest) => {
  const { status, problem: { issues = [], message, requestId } } = refusal
  const texts = issues.map(({ message, path }) => path.length === 0 ? message : `${path.join(".")}: ${message}`)
  const outcome = failure({ code: codeOf(refusal), id: requestId, texts: texts.length === 0 ? [message] : texts })
  return {
    body: HttpBody.text(JSON.stringify(outcome), "application/fhir+json; charset=utf-8"),
    headers: challengeOf(status, headers["authorization"])
  }
}
