import type { Page } from "playwright-core"

/** Everything that the browser keeps for the page's origin. Keys are described, because no script can read them. */
export const stored = (page: Page) =>
  page.evaluate(async () => {
    const settled = <A>(request: IDBRequest<A>) =>
      new Promise<A>((resolve, reject) => {
        request.addEventListener("success", () => resolve(request.result))
        request.addEventListener("error", () => reject(request.error!))
      })
    const databases = await Promise.all((await indexedDB.databases()).map(async ({ name }) => {
      const database = await settled(indexedDB.open(name!))
      const entries = await Promise.all([...database.objectStoreNames].map(async (store) => {
        const rows = database.transaction(store).objectStore(store)
        const [keys, values] = await Promise.all([settled(rows.getAllKeys()), settled(rows.getAll())])
        return keys.map((key, at) => {
          const { privateKey } = Object(values[at]) as { privateKey?: CryptoKey }
          return [String(key), privateKey === undefined ? values[at] : `extractable: ${privateKey.extractable}`]
        })
      }))
      database.close()
      return [name, Object.fromEntries(entries.flat())]
    }))
    const shells = await Promise.all((await caches.keys()).map(async (name) =>
      (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname)
    ))
    return {
      local: Object.fromEntries(Object.entries(localStorage)),
      session: Object.fromEntries(Object.entries(sessionStorage)),
      databases: Object.fromEntries(databases) as Record<string, Record<string, unknown>>,
      cached: shells.flat(),
      cookie: document.cookie,
      history: JSON.stringify(history.state)
    }
  })
