import { exportJWK, generateKeyPair, type JWK, SignJWT } from "jose"
import { createHash, randomBytes } from "node:crypto"
import type { SandboxPerson } from "./SandboxPeople.ts"

const random = () => randomBytes(32).toString("base64url")

/** Seconds that a code counts. */
const codeSeconds = 60

/** Seconds that tokens count. */
const tokenSeconds = 3600

/** The number of values of one kind that are kept. The oldest is forgotten first. */
const most = 1000

/** Values under random names, each until its time has passed. */
class Kept<A> {
  private readonly values = new Map<string, { readonly value: A; readonly ends: number }>()

  put(value: A, seconds: number) {
    const key = random()
    if (this.values.size >= most) this.values.delete(this.values.keys().next().value!)
    this.values.set(key, { value, ends: Date.now() + seconds * 1000 })
    return key
  }

  find(key: string) {
    const kept = this.values.get(key)
    return kept !== undefined && kept.ends > Date.now() ? kept.value : undefined
  }

  take(key: string) {
    const value = this.find(key)
    this.values.delete(key)
    return value
  }
}

/** The request of an app's browser (RFC 6749, 4.1.1, with RFC 7636). */
export interface AuthorizationRequest {
  readonly redirectUri: string
  readonly scope: string
  readonly state: string
  readonly nonce: string | undefined
  readonly codeChallenge: string
}

interface Given {
  readonly person: SandboxPerson
  readonly scope: string
}

/** The sandbox's codes and tokens. They last as long as the process. */
export class SandboxSignIn {
  readonly keys: { readonly keys: ReadonlyArray<JWK> }
  private readonly codes = new Kept<AuthorizationRequest & { readonly person: SandboxPerson }>()
  private readonly access = new Kept<Given>()
  private readonly refresh = new Kept<Given>()
  private readonly signed: (person: SandboxPerson, nonce: string | undefined) => Promise<string>

  private constructor(keys: ReadonlyArray<JWK>, signed: SandboxSignIn["signed"]) {
    this.keys = { keys }
    this.signed = signed
  }

  /** The issuer is not the sandbox's address, as at the VA. */
  static async open({ clientId, issuer }: { readonly clientId: string; readonly issuer: string }) {
    const { privateKey, publicKey } = await generateKeyPair("RS256")
    const kid = random().slice(0, 16)
    return new SandboxSignIn(
      [{ ...await exportJWK(publicKey), kid, alg: "RS256", use: "sig" }],
      (person, nonce) => {
        const now = Math.floor(Date.now() / 1000)
        return new SignJWT({ ver: 1, auth_time: now, ...(nonce === undefined ? {} : { nonce }) })
          .setProtectedHeader({ alg: "RS256", kid })
          .setIssuer(issuer)
          .setAudience(clientId)
          .setSubject(person.subject)
          .setIssuedAt(now)
          .setExpirationTime(now + tokenSeconds)
          .setJti(random())
          .sign(privateKey)
      }
    )
  }

  code(person: SandboxPerson, request: AuthorizationRequest) {
    return this.codes.put({ ...request, person }, codeSeconds)
  }

  /** Returns the tokens of a code, or undefined unless it is live and was made for this verifier and address. */
  async redeem(code: string, verifier: string, redirectUri: string) {
    const begun = this.codes.take(code)
    const challenge = createHash("sha256").update(verifier).digest("base64url")
    if (begun === undefined || begun.redirectUri !== redirectUri || begun.codeChallenge !== challenge) return
    return this.tokens(begun, begun.nonce)
  }

  /** A refresh token counts once, and the answer has the next one. */
  async renew(refreshToken: string) {
    const given = this.refresh.take(refreshToken)
    return given && this.tokens(given, undefined)
  }

  /** Returns the person of an access token. */
  personOf(accessToken: string) {
    return this.access.find(accessToken)?.person
  }

  /** The VA answers `state` too, which no standard has, and the patient's id beside the id_token. */
  private async tokens({ person, scope }: Given, nonce: string | undefined) {
    const has = (one: string) => scope.split(" ").includes(one)
    return {
      access_token: this.access.put({ person, scope }, tokenSeconds),
      token_type: "Bearer",
      expires_in: tokenSeconds,
      scope,
      state: random(),
      ...(has("offline_access") ? { refresh_token: this.refresh.put({ person, scope }, 7 * 86_400) } : {}),
      ...(has("openid") ? { id_token: await this.signed(person, nonce) } : {}),
      ...(has("launch/patient") ? { patient: person.patientId } : {})
    }
  }
}
