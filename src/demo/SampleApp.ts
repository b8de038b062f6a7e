import * as oauth from "oauth4webapi"

/** The app's registration, which its author gets from the operator. */
export interface SampleClient {
  readonly clientId: string
  readonly redirectUri: string
}

/** Allows plain HTTP, which the library refuses by default, because the demo's service runs on this machine. */
const onLoopback = { [oauth.allowInsecureRequests]: true }

/**
 * Connects an app such as a third party would write, with a public OAuth library. The app knows its registration and
 * the service's address, and discovers the rest (RFC 8414). `open` sends the veteran's browser to an address. It
 * returns the address to which the browser is redirected, or undefined.
 */
export const connectSampleApp = async (
  baseUrl: string,
  { clientId, redirectUri }: SampleClient,
  open: (url: URL) => Promise<URL | undefined>
) => {
  const issuer = new URL(`${baseUrl}/api/oauth`)
  const discovered = await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...onLoopback })
  const service = await oauth.processDiscoveryResponse(issuer, discovered)
  const client = { client_id: clientId }
  const [verifier, state] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState()]
  const authorize = new URL(service.authorization_endpoint!)
  authorize.search = new URLSearchParams({
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: "launch/patient patient/Observation.rs",
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    resource: `${baseUrl}/api/fhir/R4`
  }).toString()
  const back = await open(authorize)
  if (back === undefined) return undefined
  const code = oauth.validateAuthResponse(service, client, back, state)
  const tokens = await oauth.processAuthorizationCodeResponse(
    service,
    client,
    await oauth.authorizationCodeGrantRequest(
      service,
      client,
      oauth.None(),
      code,
      redirectUri,
      verifier,
      onLoopback
    )
  )
  const read = async (path: string) => {
    const url = new URL(`${baseUrl}/api/fhir/R4/${path}`)
    const answer = await fetch(url, { headers: { authorization: `Bearer ${tokens.access_token}` } })
    return { status: answer.status, body: await answer.json() as any }
  }
  return {
    scope: tokens.scope,
    read,
    /** Results of a category as lines, newest first. A warning about the list comes before them. */
    newest: async (category: string, count: number): Promise<ReadonlyArray<string>> => {
      const { body } = await read(`Observation?category=${category}&_sort=-date&_count=${count}`)
      const entries: ReadonlyArray<any> = body.entry ?? []
      const warnings = entries.filter(({ search }) => search.mode === "outcome")
        .flatMap(({ resource }) => resource.issue.map(({ details }: any) => `! ${details?.text}`))
      const results = entries.filter(({ search }) => search.mode === "match").map(({ resource }) => lineOf(resource))
      // An empty list is no proof of absence: the type may never have been loaded.
      return [...warnings, ...results.length === 0 ? ["none in this record; ask the patient"] : results]
    }
  }
}

/** The VA writes `null` where a member is missing. A result that is not final says so. */
const lineOf = ({ code, component, effectiveDateTime, status, ...result }: any): string => {
  const day = effectiveDateTime?.slice(0, 10) ?? "without a date"
  const values = [result, ...component ?? []].flatMap((part) => valueOf(part) ?? [])
  const mark = status === "final" ? "" : ` (${status})`
  return `${day}  ${wordsOf(code) ?? "without a name"}: ${values.join(" / ") || "-"}${mark}`
}

const valueOf = ({ valueCodeableConcept, valueQuantity, valueString }: any) =>
  valueString ?? wordsOf(valueCodeableConcept) ??
    (valueQuantity && `${valueQuantity.comparator ?? ""}${valueQuantity.value} ${valueQuantity.unit ?? ""}`.trim())

const wordsOf = (concept: any) => concept?.text ?? concept?.coding?.[0]?.display
