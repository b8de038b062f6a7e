import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  discovery,
  randomPKCECodeVerifier,
  randomState
} from "openid-client"

/** Who the app is, as the operator told its author. */
export interface SampleClient {
  readonly clientId: string
  readonly redirectUri: string
}

/**
 * An app of somebody else's, with a library of somebody else's: it is told its client id and where the service is, and finds all
 * else by itself (RFC 8414). `open` brings the veteran's browser to an address, and answers where it was led back to; undefined: nowhere.
 */
export const connectSampleApp = async (
  baseUrl: string,
  { clientId, redirectUri }: SampleClient,
  open: (url: URL) => Promise<URL | undefined>
) => {
  const service = await discovery(new URL(`${baseUrl}/api/oauth`), clientId, undefined, undefined, {
    algorithm: "oauth2",
    // The demo's service is on this machine.
    execute: [allowInsecureRequests]
  })
  const [verifier, state] = [randomPKCECodeVerifier(), randomState()]
  const back = await open(buildAuthorizationUrl(service, {
    redirect_uri: redirectUri,
    scope: "launch/patient patient/Observation.rs",
    state,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    resource: `${baseUrl}/api/fhir/R4`
  }))
  if (back === undefined) return undefined
  const tokens = await authorizationCodeGrant(service, back, { pkceCodeVerifier: verifier, expectedState: state })
  return {
    scope: tokens.scope,
    read: async (path: string) => {
      const answer = await fetch(`${baseUrl}/api/fhir/R4/${path}`, {
        headers: { authorization: `Bearer ${tokens.access_token}` }
      })
      return { status: answer.status, body: await answer.json() as any }
    }
  }
}
