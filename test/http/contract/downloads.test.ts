import { assert, describe, test } from "vitest"
import { asAdmin, call, giveGrant, randomAddress, signInProvider } from "../../support/Client.ts"
import { openVaApp } from "../../support/VaApp.ts"
import { giveSessions } from "../document/Copies.ts"
import { signInByApp } from "../export/Exports.ts"
import { createLink } from "../link/Links.ts"
import { release, signed, upload } from "../release/Releases.ts"

const { database, service, va } = await openVaApp()

const [veteran, provider] = [await signInByApp(service, va), await signInProvider(service)]

await giveGrant(service, veteran, provider)

const script = (await upload(service, veteran, "<!doctype html><script>alert(1)</script>", "Päge 1;2.html")).json.id

const { document } = await signed(service, veteran)

const link = await createLink(service, veteran, { documentId: document.id })

const [viewSession] = await giveSessions(service, await database.connect("superuser"), [link])

const { signature: _, statementsAccepted: __, ...unsigned } = release()

const escaped = "attachment; filename=\"P?ge 1;2.html\"; filename*=UTF-8''P%C3%A4ge%201%3B2.html"

const ofRelease = (end: string) =>
  `attachment; filename=release-of-information-${document.signedAt.slice(0, 10)}.${end}`

const archive = /^attachment; filename="veteran-records-\d{4}-\d\d-\d\d\.zip"$/

const own = "/api/veteran/me"

const [html, fhir] = ["text/html; charset=utf-8", "application/fhir+json"]

type Asked = { readonly headers?: Record<string, string>; readonly body?: unknown }

/** Each answer that holds a file, with its type and name. */
const files: ReadonlyArray<readonly [route: string, type: string, name: string | RegExp, asked?: Asked]> = [
  [`GET ${own}/documents/${script}/content`, html, escaped],
  [`GET ${own}/documents/${document.id}/content`, "application/pdf", ofRelease("pdf")],
  [`GET /api/provider/patients/${veteran.id}/documents/${script}/content`, html, escaped, provider],
  [`GET ${own}/documents/${document.id}/record`, fhir, ofRelease("fhir.json")],
  [`GET ${own}/documents/${document.id}/ccda`, "application/xml", ofRelease("ccda.xml")],
  [`GET ${own}/roi/${document.id}/fhir`, fhir, ofRelease("shared.fhir.json")],
  [`POST ${own}/roi/preview`, "application/pdf", "attachment; filename=release-preview.pdf", { body: unsigned }],
  ["POST /api/secure-links/view", "application/pdf", ofRelease("pdf"), { headers: {}, body: { viewSession } }]
]

/** Each answer that a program made, and that a browser shows as no page: it needs no sandbox. */
const made: typeof files = [
  [`POST ${own}/exports`, "application/zip", archive],
  [`POST /api/admin/veterans/${veteran.id}/export`, "application/zip", archive, {
    headers: asAdmin,
    body: { reason: "ticket 1" }
  }],
  [`GET ${own}/disclosures`, "text/csv; charset=utf-8", "attachment; filename=\"disclosures.csv\"", {
    headers: { ...veteran.headers, accept: "text/csv" }
  }]
]

/** These have no name: an app reads them. */
const forApps = [
  /^GET \/api\/veteran\/\{veteranId\}\/(consent-grants\/\{grantId\}|disclosures)\/fhir$/,
  /^GET \/api\/shl\//,
  / \/api\/fhir\/R4\//
]

test("The tables of this test list exactly the routes whose answers are files", async () => {
  const { paths } = (await call(service, "GET", "/api/openapi.json")).json
  const answering = Object.entries<Record<string, any>>(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { responses }]) =>
      Object.keys(responses["200"]?.content ?? {}).some((type) => !/^(application\/json|text\/(html|plain))/.test(type))
        ? [`${method.toUpperCase()} ${path}`]
        : []
    )
  ).filter((route) => !forApps.some((pattern) => pattern.test(route)))
  const listed = [...files, ...made].map(([route]) =>
    answering.find((template) => new RegExp(`^${template.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(route)) ?? route
  )
  assert.deepStrictEqual([...new Set(listed)].sort(), answering.sort())
})

const assertDownload = async ([route, type, name, asked = {}]: typeof files[number], policy: string) => {
  const [method, path] = route.split(" ") as [string, string]
  const { body, headers = veteran.headers } = asked
  const answer = await fetch(`${service.url}${path}`, {
    method,
    headers: { "content-type": "application/json", "x-forwarded-for": randomAddress(), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  const bytes = Buffer.from(await answer.arrayBuffer())
  assert.strictEqual(answer.status, 200, `${bytes}`)
  const disposition = answer.headers.get("content-disposition")!
  if (typeof name === "string") assert.strictEqual(disposition, name)
  else assert.match(disposition, name)
  const expected = {
    "content-type": type,
    "content-range": null,
    "content-security-policy": policy,
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
    "referrer-policy": "no-referrer"
  }
  const sent = Object.fromEntries(Object.keys(expected).map((header) => [header, answer.headers.get(header)]))
  assert.deepStrictEqual(sent, expected)
  return { bytes, headers: answer.headers }
}

describe("A download that no browser executes or keeps", () => {
  test.each(files.map((file) => [file[0], file] as const))("is %s", async (_, file) => {
    const { bytes, headers } = await assertDownload(file, "sandbox; default-src 'none'; frame-ancestors 'none'")
    assert.strictEqual(headers.get("content-length"), `${bytes.length}`)
  })

  test.each(made.map((file) => [file[0], file] as const))("is %s, which is no page", async (_, file) => {
    await assertDownload(file, "default-src 'none'; frame-ancestors 'none'")
  })
})
