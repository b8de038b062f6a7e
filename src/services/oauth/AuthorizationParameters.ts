import { Option, Result } from "effect"
import { parseScope, requestedScope, scopeText, type SmartScope } from "../../domain/SmartScope.ts"

/** The parameters of a request, each with all its values. */
export type Parameters = ReadonlyMap<string, ReadonlyArray<string>>

/** Returns undefined if the parameter is missing or was sent more than once (RFC 6749, 3.1). */
export const soleParameter = (parameters: Parameters, name: string): string | undefined => {
  const values = parameters.get(name)
  return values?.length === 1 ? values[0] : undefined
}

type ErrorCode = "invalid_request" | "unsupported_response_type" | "invalid_scope" | "invalid_target"

/** The error that the app gets back (RFC 6749, 4.1.2.1; RFC 8707, 2), with the app's `state` if it is well formed. */
export interface Refusal {
  readonly error: ErrorCode
  readonly state: string | undefined
}

export interface AuthorizationRequest {
  readonly state: string
  readonly scope: string
  readonly codeChallenge: string
}

const parameterNames = ["response_type", "client_id", "redirect_uri", "scope", "state", "code_challenge",
  "code_challenge_method", "aud", "resource"]

/** A `state` is printable ASCII (RFC 6749, appendix A.5). This service accepts at most 1,000 characters. */
const isState = (text: string) => /^[\x20-\x7e]{1,1000}$/.test(text)

/** An S256 challenge is SHA-256 in base64url (RFC 7636, 4.2). */
const isChallenge = (text: string) => /^[\w-]{43}$/.test(text)

/** The scopes that the operator registered. A malformed one allows nothing. */
const registered = (scopes: ReadonlyArray<string>): ReadonlyArray<SmartScope> =>
  scopes.flatMap((scope) => Option.getOrElse(parseScope(scope), () => []))

/** Reads the request of a client that is known and whose redirect URI is registered. */
export const read = (
  parameters: Parameters,
  { fhirBase, scopes }: { readonly scopes: ReadonlyArray<string>; readonly fhirBase: string }
): Result.Result<AuthorizationRequest, Refusal> => {
  const state = Option.filter(Option.fromUndefinedOr(soleParameter(parameters, "state")), isState)
  const refuse = (error: ErrorCode) => Result.fail({ error, state: Option.getOrUndefined(state) })
  const codeChallenge = soleParameter(parameters, "code_challenge")
  const responseType = soleParameter(parameters, "response_type")
  if (
    Option.isNone(state) || responseType === undefined ||
    parameterNames.some((name) => (parameters.get(name)?.length ?? 0) > 1) ||
    codeChallenge === undefined || !isChallenge(codeChallenge) ||
    soleParameter(parameters, "code_challenge_method") !== "S256"
  ) return refuse("invalid_request")
  if (responseType !== "code") return refuse("unsupported_response_type")
  const scope = requestedScope(soleParameter(parameters, "scope") ?? "", registered(scopes))
  if (Option.isNone(scope)) return refuse("invalid_scope")
  const targets = ["aud", "resource"].flatMap((name) => parameters.get(name) ?? [])
  if (targets.some((target) => target !== fhirBase)) return refuse("invalid_target")
  return Result.succeed({ state: state.value, scope: scopeText(scope.value), codeChallenge })
}
