import { jwtVerify } from "jose"
import pg from "pg"

/**
 * What one would write by hand for `/me`: Fastify, jose, one prepared query; without limits, log, metrics, security headers, row-level
 * security. Its argument is one JSON object; it prints its port.
 */
export interface FastifyServer {
  readonly url: string
  readonly caCertificate: string
  readonly secret: string
}

const { caCertificate, secret, url } = JSON.parse(process.argv[2]!) as FastifyServer

// The name is no literal, so that all else of the bench runs, and is checked, where it is not installed.
const name: string = "fastify"

const { default: fastify } = await import(name)

const pool = new pg.Pool({
  connectionString: url.replace(/\?.*$/, ""),
  ssl: { ca: caCertificate, servername: "localhost" },
  max: 10
})

const key = Buffer.from(secret)

const app = fastify()

const handler = async (request: { readonly headers: { readonly authorization: string } }) => {
  const { payload } = await jwtVerify(request.headers.authorization.slice("Bearer ".length), key)
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
}

app.route({ method: "GET", url: "/api/veteran/me", handler })

await app.listen({ port: 0, host: "127.0.0.1" })

process.stdout.write(`${app.server.address().port}\n`)
