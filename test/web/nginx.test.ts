import { globSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { assert, describe, test } from "vitest"
import { appHeaders, cacheControl, mediaTypes, portalHeaders } from "../../src/pages/Headers.ts"
import { portal, type Site, veteran } from "../../src/pages/Sites.ts"
import { freePort } from "../../src/postgres/EmbeddedPostgres.ts"
import { openApp, openFolder } from "../support/App.ts"
import { describeWith } from "../support/DescribeWith.ts"
import { until } from "../support/Until.ts"
import { ask } from "./Ask.ts"
import { documentedIn, noNginx, openNginx } from "./Nginx.ts"
import { openPortal } from "./Portal.ts"

const va = "https://api.va.gov"

/** The service's variables for the VA that the lines for the veteran's app name. */
const upstream = {
  VA_CLIENT_ID: "0oa1b2c3d4e5f6g7h8i9",
  VA_ISSUER: "https://va.okta.com/oauth2/default",
  VA_KEYS: `${va}/oauth2/health/v1/keys`,
  VA_AUTHORIZATION_URL: `${va}/oauth2/health/v1/authorization`,
  VA_TOKEN_URL: `${va}/oauth2/health/v1/token`,
  VA_FHIR_BASE: `${va}/services/fhir/v0/r4`,
  VA_SCOPES: "openid launch/patient patient/Condition.read patient/Patient.read",
  VA_RESOURCE_TYPES: "Condition,Patient"
}

const openVeteranApp = async () => {
  const port = await freePort()
  const app = `http://localhost:${port}`
  const { service } = await openApp({ VETERAN_APP_PORT: `${port}`, VETERAN_APP_URL: app, ...upstream })
  await until("the app's pages are read", () => fetch(app).then(({ ok }) => ok))
  return { here: app, api: service.url }
}

interface Documented {
  readonly section: string
  readonly site: Site
  /** The first word of the variables of its lines. */
  readonly prefix: string
  readonly headers: (api: string, file?: string) => Readonly<Record<string, string>>
  readonly open: () => Promise<{ readonly here: string; readonly api: string }>
}

const sites: ReadonlyArray<Documented> = [
  {
    section: "The portal's pages",
    site: portal,
    prefix: "portal",
    headers: (api, file) => portalHeaders(api, true, file),
    open: async () => {
      const { portal, service } = await openPortal()
      return { here: portal, api: service.url }
    }
  },
  {
    section: "The veteran's app",
    site: veteran,
    prefix: "app",
    headers: (api, file) => appHeaders([api, api === "$api" ? "$va" : va], true, file),
    open: openVeteranApp
  }
]

describe.each(sites)("The lines for nginx in docs/operator.md, $section:", ({ headers, prefix, section, site }) => {
  const lines = documentedIn(section)

  test("The lines send the headers of src/pages/Headers.ts on every answer", () => {
    const policies = /map \$uri \$portal_policy \{([^]*?)\n\}/.exec(lines)?.[1]
    const sent = [...lines.matchAll(/^ {2}add_header (\S+) (?:"([^"]*)"|(\S+)) always;$/gm)].map((
      [, name, quoted, bare]
    ) => [name, quoted ?? bare])
    assert.deepStrictEqual(Object.fromEntries(sent), {
      ...headers("$api"),
      "cache-control": `$${prefix}_cache`,
      "access-control-allow-origin": `$${prefix}_readers`,
      ...(policies === undefined ? {} : { "content-security-policy": "$portal_policy" })
    })
    if (policies === undefined) return
    const written = [...policies.matchAll(/^ {2}(\S+)\s+"([^"]*)";$/gm)].map(([, file, policy]) => [file!, policy!])
    assert.deepStrictEqual(
      written,
      ["/link.html", "/frame.html", "default"].map((file) => [file, headers("$api", file)["content-security-policy"]])
    )
  })

  test("The lines name each media type and each page", () => {
    const types = [.../types \{([^}]*)\}/.exec(lines)![1]!.matchAll(/(\S+) ([\w ]+);/g)].flatMap((
      [, type, endings]
    ) => endings!.split(" ").map((ending) => [ending, type!]))
    const known = Object.entries(mediaTypes).map(([ending, type]) => [ending, type.split(";")[0]!])
    assert.deepStrictEqual(
      Object.fromEntries(types),
      Object.fromEntries(known.filter(([, type]) => type !== "application/octet-stream"))
    )
    for (const [path, file] of Object.entries(site.pages)) {
      assert.include(lines, `location = ${path} { try_files ${file} =404; }`)
    }
  })
})

for (const { headers: headersOf, open, section, site } of sites) {
  describeWith(noNginx, `A real nginx with the lines of docs/operator.md, ${section} (needs nginx):`, async () => {
    const { api, here } = await open()
    const log = join(await openFolder(), "app.log")
    const lines = documentedIn(section)
    const logged = site === veteran ? [["/var/log/nginx/app.log", log]] as const : []
    const nginx = await openNginx(lines, site, api, logged)
    const entries = globSync("assets/*", { cwd: site.folder, withFileTypes: true })
    const named = (isFile: boolean) =>
      entries.filter((entry) => entry.isFile() === isFile && !/\.(br|gz)$/.test(entry.name)).map(({ name }) =>
        `/assets/${name}`
      )
    const [assets, folders] = [named(true), named(false)]
    const { "strict-transport-security": hsts } = headersOf("")

    /** Removes headers that browsers ignore, and those that differ between answers. */
    const essence = ({ body, headers, status }: Awaited<ReturnType<typeof ask>>) => {
      const {
        "accept-ranges": _1,
        connection: _2,
        date: _3,
        etag: _4,
        "keep-alive": _5,
        "last-modified": _6,
        server: _7,
        "transfer-encoding": _8,
        "content-length": _9,
        ...rest
      } = headers
      return { status, headers: { ...rest, vary: rest.vary?.toLowerCase() }, body: body.toString("base64") }
    }

    const missing = ["/nowhere", "/assets/nothing.js", "/index.html", "/link/", "/404.html", "/.git/config", "/assets",
      "/assets/", ...folders]

    const script = assets.find((file) => file.endsWith(".js"))!

    test.each([
      ["gzip, deflate, br, zstd", [...Object.keys(site.pages), "/config.json", ...assets, ...missing]],
      ["identity", ["/", script]],
      ["gzip", ["/", script]],
      ["br;q=0, gzip", ["/", script]]
    ])(
      "nginx serves pages, files and missing paths as npm start does (accept-encoding: %s)",
      async (encoding, paths) => {
        for (const path of paths) {
          for (const method of ["GET", "HEAD"]) {
            const options = { method, headers: { "accept-encoding": encoding } }
            const [there, served] = [essence(await ask(nginx, path, options)), essence(await ask(here, path, options))]
            const { "strict-transport-security": promised, ...headers } = there.headers
            assert.strictEqual(promised, hsts, path)
            assert.deepStrictEqual({ ...there, headers }, served, `${method} ${path}`)
          }
        }
      }
    )

    test("A file that the browser has cached is answered with 304 and the same caching headers", async () => {
      for (const path of ["/", script]) {
        for (const origin of [nginx, here]) {
          const first = await ask(origin, path)
          const again = await ask(origin, path, { headers: { "if-none-match": first.headers.etag! } })
          assert.deepStrictEqual(
            [first.status, again.status, again.headers["cache-control"], again.body.length],
            [200, 304, cacheControl(path), 0]
          )
          assert.strictEqual(
            again.headers["content-security-policy"],
            headersOf(api)["content-security-policy"]
          )
        }
      }
    })

    test("Only GET and HEAD are accepted", async () => {
      const page = Object.keys(site.pages).at(-1)!
      for (const origin of [nginx, here]) {
        const { headers, status } = await ask(origin, page, { method: "POST" })
        assert.strictEqual(status, 405)
        assert.strictEqual(headers["x-content-type-options"], "nosniff")
      }
    })

    if (site !== veteran) return

    test("The VA's code, with which a veteran comes back, is not logged", async () => {
      assert.strictEqual((await ask(nginx, "/?code=canary&state=canary")).status, 200)
      const text = await until("nginx has logged the return", async () => {
        const text = await readFile(log, "utf8")
        return / GET \/index\.html 200 \d+\n$/.test(text) && text
      })
      assert.notInclude(text, "canary")
    })
  })
}
