import { once } from "node:events"
import { cp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import { join } from "node:path"
import { appHeaders } from "../../../src/pages/Headers.ts"
import { veteran } from "../../../src/pages/Sites.ts"
import { answer, readPages } from "../../../src/pages/StaticPages.ts"
import { freePort } from "../../../src/postgres/EmbeddedPostgres.ts"
import { atEnd, openFolder } from "../../support/App.ts"

/** A copy of the built app on another origin, without the service. A test can replace it by a newer build. */
export const openBuiltApp = async () => {
  const folder = await openFolder()
  await cp(veteran.folder, folder, { recursive: true })
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
  const server = createServer((request, response) =>
    void readPages(folder).then((pages) => {
      const { body, headers, status } = answer(pages, veteran, configuration, request)
      response.writeHead(status, headers).end(body)
    })
  ).listen(Number(new URL(origin).port), "127.0.0.1")
  await once(server, "listening")
  atEnd(() => {
    server.closeAllConnections()
    server.close()
  })
  /** Gives the page's script another name, as a changed source does. */
  const rebuild = async () => {
    const files = (await readdir(folder, { recursive: true })).map((file) => join(folder, file))
    const old = files.find((file) => /\/index-[^/]+\.js$/.test(file))!
    const [before, after] = [old.slice(old.lastIndexOf("/") + 1), `index-${Date.now()}.js`]
    for (const file of files.filter((file) => /\.(br|gz)$/.test(file))) await rm(file)
    for (const file of files.filter((file) => /\.(html|js)$/.test(file))) {
      const text = (await readFile(file, "utf8")).replaceAll(before, after).replace(/"id":"\w+"/, `"id":"${after}"`)
      await writeFile(file === old ? old.replace(before, after) : file, text)
    }
    await rm(old)
    return after
  }
  return {
    origin,
    rebuild,
    stop: () =>
      new Promise<void>((done) => {
        server.closeAllConnections()
        server.close(() => done())
      })
  }
}
