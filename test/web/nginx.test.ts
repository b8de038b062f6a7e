import { globSync } from "node:fs"
import { assert, describe, test } from "vitest"
import { cacheControl, mediaTypes, portalHeaders } from "../../src/pages/Headers.ts"
import { portal as site } from "../../src/pages/Sites.ts"
import { ask } from "./Ask.ts"
import { documented, noNginx, openNginx } from "./Nginx.ts"
import { openPortal } from "./Portal.ts"

const entries = globSync("assets/*", { cwd: site.folder, withFileTypes: true })

const named = (isFile: boolean) =>
  entries.filter((entry) => entry.isFile() === isFile && !/\.(br|gz)$/.test(entry.name)).map(({ name }) =>
    `/assets/${name}`
  )

const [assets, folders] = [named(true), named(false)]

describe("The lines for nginx in docs/operator.md", () => {
  test("The lines send the headers of src/pages/Headers.ts on every answer", () => {
    const sent = [...documented.matchAll(/^ {2}add_header (\S+) (?:"([^"]*)"|(\S+)) always;$/gm)].map((
      [, name, quoted, bare]
    ) => [name, quoted ?? bare])
    assert.deepStrictEqual(Object.fromEntries(sent), {
      ...portalHeaders("$api", true),
      "cache-control": "$portal_cache",
      "content-security-policy": "$portal_policy",
      "access-control-allow-origin": "$portal_readers"
    })
    const policies = /map \$uri \$portal_policy \{([^]*?)\n\}/.exec(documented)![1]!
    const written = [...policies.matchAll(/^ {2}(\S+)\s+"([^"]*)";$/gm)].map(([, file, policy]) => [file!, policy!])
    assert.deepStrictEqual(
      written,
      ["/link.html", "/frame.html", "default"].map((
        file
      ) => [file, portalHeaders("$api", true, file)["content-security-policy"]])
    )
  })

  test("The lines name each media type and each page", () => {
    const types = [.../types \{([^}]*)\}/.exec(documented)![1]!.matchAll(/(\S+) ([\w ]+);/g)].flatMap((
      [, type, endings]
    ) => endings!.split(" ").map((ending) => [ending, type!]))
    const known = Object.entries(mediaTypes).map(([ending, type]) => [ending, type.split(";")[0]!])
    assert.deepStrictEqual(
      Object.fromEntries(types),
      Object.fromEntries(known.filter(([, type]) => type !== "application/octet-stream"))
    )
    for (const [path, file] of Object.entries(site.pages)) {
      assert.include(documented, `location = ${path} { try_files ${file} =404; }`)
    }
  })
})

describe.skipIf(noNginx)("A real nginx with these lines (needs nginx)", async () => {
  const { portal, service } = await openPortal()
  const nginx = await openNginx(service.url)
  const { "strict-transport-security": hsts } = portalHeaders("", true)

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
          const [there, here] = [essence(await ask(nginx, path, options)), essence(await ask(portal, path, options))]
          const { "strict-transport-security": promised, ...headers } = there.headers
          assert.strictEqual(promised, hsts, path)
          assert.deepStrictEqual({ ...there, headers }, here, `${method} ${path}`)
        }
      }
    }
  )

  test("A file that the browser has cached is answered with 304 and the same caching headers", async () => {
    for (const path of ["/", script]) {
      for (const origin of [nginx, portal]) {
        const first = await ask(origin, path)
        const again = await ask(origin, path, { headers: { "if-none-match": first.headers.etag! } })
        assert.deepStrictEqual(
          [first.status, again.status, again.headers["cache-control"], again.body.length],
          [200, 304, cacheControl(path), 0]
        )
        assert.strictEqual(
          again.headers["content-security-policy"],
          portalHeaders(service.url, true)["content-security-policy"]
        )
      }
    }
  })

  test("Only GET and HEAD are accepted", async () => {
    for (const origin of [nginx, portal]) {
      const { headers, status } = await ask(origin, "/link", { method: "POST" })
      assert.strictEqual(status, 405)
      assert.strictEqual(headers["x-content-type-options"], "nosniff")
    }
  })
})
