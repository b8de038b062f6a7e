import { HttpBody, type HttpServerRequest, type HttpServerResponse } from "effect/http"
import { outcomeForm } from "../fhir/OutcomeBody.ts"

/** An answer of status 400 or above. */
interface Refusal {
  readonly status: number
  readonly response: HttpServerResponse.HttpServerResponse
  /** The members of the API's own error body: the code, the sentence, and others that the error has. */
  readonly problem: {
    readonly error: string
    readonly message: string
    readonly requestId: string
    readonly [member: string]: unknown
  }
}

interface ErrorAnswer {
  readonly body: HttpBody.HttpBody
  readonly headers?: Record<string, string>
}

type ErrorForm = (refusal: Refusal, request: HttpServerRequest.HttpServerRequest) => ErrorAnswer

/** The API's own error body (contract, part 1). */
const ownForm: ErrorForm = ({ problem }) => ({ body: HttpBody.jsonUnsafe(problem) })

/** OAuth's error body (RFC 6749, 5.2). The description is for the app's developer, and quotes nothing that was sent. */
const oauthForm: ErrorForm = ({ status, problem: { error, error_description, message } }) => ({
  body: HttpBody.jsonUnsafe(
    error_description === undefined
      ? { error: oauthCode(status), error_description: error === "invalid_request" ? malformed : message }
      : { error, error_description }
  ),
  headers: status === 401 ? { "www-authenticate": "Basic realm=\"oauth\"" } : {}
})

const malformed = "A parameter is malformed, too long, repeated, or sent in the URL."

const oauthCode = (status: number) =>
  status === 429 || status === 503 ? "temporarily_unavailable" : status < 500 ? "invalid_request" : "server_error"

/** Error forms that standards define. The path decides, so that unknown FHIR routes get FHIR's form too. */
const forms: ReadonlyArray<readonly [paths: RegExp, form: ErrorForm]> = [
  [/^\/api\/oauth\/(token|revoke|introspect)$/, oauthForm],
  [/^\/api\/fhir\/R4(\/|$)/, outcomeForm]
]

export const errorAnswer: ErrorForm = (refusal, request) => {
  // An HTML page already explains the error to a person, so it stays as it is.
  const { body } = refusal.response
  if ("contentType" in body && body.contentType?.startsWith("text/html") === true) return { body }
  const path = request.url.split("?", 1)[0]!
  const form = forms.find(([paths]) => paths.test(path))?.[1] ?? ownForm
  return form(refusal, request)
}
