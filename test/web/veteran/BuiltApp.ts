import { once } from "node:events"
import { createServer } from "node:http"
import { basename } from "node:path"
import { appHeaders } from "../../../src/pages/Headers.ts"
import { veteran } from "../../../src/pages/Sites.ts"
import { answer, readPages } from "../../../src/pages/StaticPages.ts"
import { freePort } from "../../../src/postgres/EmbeddedPostgres.ts"
import { atEnd } from "../../support/App.ts"

/** The built app on another origin, without the service. A test can replace it by a newer build. */
export const openBuiltApp = async () => {
  let pages = await readPages(veteran.folder)
  const origin = `http://localhost:${await freePort()}`
  const va = {
    authorizationUrl: origin,
    tokenUrl: origin,
    fhirBase: origin,
    clientId: "",
    scopes: "",
    resourceTypes: [],
    sandbox: true
  }
  const configuration = { told: { api: origin, va }, headers: (file: string) => appHeaders([origin], false, file) }
  const server = createServer((request, response) => {
    const { body, headers, status } = answer(pages, veteran, configuration, request)
    response.writeHead(status, headers).end(body)
  }).listen(Number(new URL(origin).port), "127.0.0.1")
  await once(server, "listening")
  const stop = () =>
    new Promise<void>((done) => {
      server.closeAllConnections()
      server.close(() => done())
    })
  atEnd(stop)
  /** Gives the page's script another name, as a changed source does. */
  const rebuild = () => {
    const before = basename([...pages.keys()].find((path) => /\/index-[^/]+\.js$/.test(path))!)
    const after = `index-${Date.now()}.js`
    const plain = [...pages].filter(([path]) => !/\.(br|gz)$/.test(path))
    pages = new Map(plain.map(([path, file]) => {
      if (!/\.(html|js)$/.test(path)) return [path, file]
      const text = file.bytes.toString().replaceAll(before, after).replace(/"id":"\w+"/, `"id":"${after}"`)
      return [path.replace(before, after), { bytes: Buffer.from(text), etag: `"${after}"` }]
    }))
    return after
  }
  return { origin, rebuild, stop }
}
