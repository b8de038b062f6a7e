import { HttpBody, type HttpServerRequest, type HttpServerResponse } from "effect/http"
import { outcomeForm } from "../fhir/OutcomeBody.ts"

/** An answer of status 400 or above. */
interface Refusal {
  readonly status: number
  readonly response: HttpServerResponse.HttpServerResponse
  /** The code, the sentence, and what the answer had of its own beside them. */
  readonly told: {
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

/** The one error body of the API (contract, part 1). */
const ownForm: ErrorForm = ({ told }) => ({ body: HttpBody.jsonUnsafe(told) })

/** RFC 6749, 5.2: the description is for the app's developer, and holds nothing that was sent. */
const oauthForm: ErrorForm = ({ status, told: { error, error_description, message } }) => ({
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

/** Where a standard has an error body of its own, its clients read that one: by path, so that no route at all has it too. */
const forms: ReadonlyArray<readonly [paths: RegExp, form: ErrorForm]> = [
  [/^\/api\/oauth\/(token|revoke|introspect)$/, oauthForm],
  [/^\/api\/fhir\/R4(\/|$)/, outcomeForm]
]

/** Writes an error in the form that the clients of this address read. */
export const errorAnswer: ErrorForm = (refusal, request) => {
  // A page for people says itself what is wrong.
  const { body } = refusal.response
  if ("contentType" in body && body.contentType?.startsWith("text/html") === true) return { body }
  const path = request.url.split("?", 1)[0]!
  const form = forms.find(([paths]) => paths.test(path))?.[1] ?? ownForm
  return form(refusal, request)
}
