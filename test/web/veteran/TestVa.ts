import { createHash, randomBytes, randomUUID } from "node:crypto"
import { once } from "node:events"
import { createServer, type RequestListener } from "node:http"
import { sandboxPeople, type SandboxPerson } from "../../../src/demo/SandboxPeople.ts"
import { SandboxSignIn } from "../../../src/demo/SandboxSignIn.ts"
import { sandboxVa } from "../../../src/layers/SandboxVa.ts"
import { freePort } from "../../../src/postgres/EmbeddedPostgres.ts"
import type { VaSettings } from "../../../src/services/platform/VaSettings.ts"
import type { AtEnd } from "../../support/App.ts"

const types = ["AllergyIntolerance", "Condition", "DiagnosticReport", "DocumentReference", "Encounter", "Immunization",
  "MedicationRequest", "Observation", "Patient", "Procedure", "Provenance"]

/** The token endpoint's path, which a test may answer in its own way. */
export const tokenPath = "/oauth2/health/v1/token"

/**
 * The sandbox VA in the test's process, with as many people as tests want. Its sign-in page is the sandbox's, and
 * `answerBy` puts a test's own answer before it.
 */
export const startTestVa = async (appUrl: string, atEnd: AtEnd) => {
  const origin = `http://localhost:${await freePort()}`
  const va: VaSettings = {
    clientId: "test-veteran-app",
    issuer: "https://issuer.va.example/oauth2/default",
    keys: `${origin}/oauth2/health/v1/keys`,
    authorizationUrl: `${origin}/oauth2/health/v1/authorization`,
    tokenUrl: `${origin}${tokenPath}`,
    fhirBase: `${origin}/services/fhir/v0/r4`,
    scopes: ["openid", "launch/patient", ...types.map((type) => `patient/${type}.read`)].join(" "),
    resourceTypes: types
  }
  const people: Array<SandboxPerson> = []
  const signIn = await SandboxSignIn.open(va)
  const redirectUri = `${appUrl}/`
  const answer = sandboxVa({ va, signIn, people, redirectUri, limit: 0 })
  let own: ((...parameters: Parameters<RequestListener>) => boolean) | undefined
  const server = createServer((request, response) => {
    if (own?.(request, response) === true) return
    void answer(request, response).catch(() => response.destroy())
  }).listen(Number(new URL(origin).port), "127.0.0.1")
  await once(server, "listening")
  atEnd(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    origin,
    ...va,
    people,
    environment: {
      VA_CLIENT_ID: va.clientId,
      VA_ISSUER: va.issuer,
      VA_KEYS: va.keys,
      VA_AUTHORIZATION_URL: va.authorizationUrl,
      VA_TOKEN_URL: va.tokenUrl,
      VA_FHIR_BASE: va.fhirBase,
      VA_SCOPES: va.scopes,
      VA_RESOURCE_TYPES: types.join(",")
    },
    /** Adds a person who can be chosen at the sign-in, with a record of test/fixtures/fhir. */
    addPerson: (changes: Partial<SandboxPerson> = {}): SandboxPerson => {
      const id = randomUUID()
      const person = {
        ...sandboxPeople[0]!,
        subject: `00u${id}`,
        patientId: `ICN-${id}`,
        name: `Person ${id.slice(0, 8)}`,
        email: `${id}@example.org`,
        ...changes
      }
      people.push(person)
      return person
    },
    /** Answers requests in the test's own way, where it returns true. */
    answerBy: (answerer: typeof own) => {
      own = answerer
    },
    /** An id_token of the person, as the sign-in gives it. */
    idToken: async (person: SandboxPerson, nonce: string) => {
      const verifier = randomBytes(32).toString("base64url")
      const codeChallenge = createHash("sha256").update(verifier).digest("base64url")
      const code = signIn.code(person, { redirectUri, scope: "openid launch/patient", state: "", nonce, codeChallenge })
      return (await signIn.redeem(code, verifier, redirectUri))!.id_token!
    }
  }
}
