import fastify from "fastify"
import { jwtVerify } from "jose"
import pg from "pg"

/**
 * A typical handwritten server for `/me`, with Fastify, jose and one prepared query. It has no limits, log, metrics,
 * security headers or row-level security. Its argument is this object as JSON, and it prints its port.
 */
export interface FastifyServer {
  readonly url: string
  readonly caCertificate: string
  readonly secret: string
}

const { caCertificate, secret, url } = JSON.parse(process.argv[2]!) as FastifyServer

const pool = new pg.Pool({
  connectionString: url.replace(/\?.*$/, ""),
  ssl: { ca: caCertificate, servername: "localhost" },
  max: 10
})

const key = Buffer.from(secret)

const app = fastify()

app.get("/api/veteran/me", async ({ headers }) => {
  const { payload } = await jwtVerify(headers.authorization!.slice("Bearer ".length), key)
  const { rows } = await pool.query({
    name: "veteran",
    text: "select id, va_patient_id, call_sign, email, created_at, fhir_sync_manifest from veterans where id = $1",
    values: [payload.sub]
  })
  const [veteran] = rows
  return {
    id: veteran.id,
    vaPatientId: veteran.va_patient_id,
    callSign: veteran.call_sign,
    email: veteran.email,
    createdAt: veteran.created_at,
    manifest: veteran.fhir_sync_manifest
  }
})

const address = await app.listen({ port: 0, host: "127.0.0.1" })

process.stdout.write(`${new URL(address).port}\n`)
