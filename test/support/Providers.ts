import { SignJWT } from "jose"
import { randomUUID } from "node:crypto"
import type pg from "pg"
import { developmentSecret } from "../../src/services/platform/VariableRules.ts"
import { bearer, type SignedIn } from "./Client.ts"

/**
 * Registers a provider and signs them in by SQL, because a password costs as much processor time as many requests. No
 * password is right for this provider: for one who signs in, there is `signInProvider` (Client.ts).
 */
export const newProvider = async (owner: pg.Client): Promise<SignedIn & { readonly email: string }> => {
  const id = randomUUID()
  const email = `provider-${randomUUID()}@clinic.example`
  await owner.query(
    `insert into providers (id, email, password_hash, display_name, organization)
     values ($1, $2, 'none', 'Dr. Ada Gray', 'Gray Clinic')`,
    [id, email]
  )
  const { rows: [session] } = await owner.query(
    `insert into provider_sessions (id, provider_id, expires_at)
     values (app.uuid_v7(clock_timestamp()), $1, now() + interval '12 hours') returning id`,
    [id]
  )
  const now = Math.floor(Date.now() / 1000)
  const token = await new SignJWT({
    iss: "veteran-records-sharing",
    aud: "vrss:provider",
    sub: session.id,
    jti: randomUUID(),
    iat: now,
    exp: now + 3600
  }).setProtectedHeader({ alg: "HS256", typ: "vrss-provider+jwt" }).sign(
    Buffer.from(developmentSecret("PROVIDER_JWT_SECRET"))
  )
  return { id, email, token, headers: bearer(token) }
}
