import { Effect } from "effect"
import { connectApp, fhir as root, oauthSecret } from "../test/http/fhir/Apps.ts"
import { giveGrant, signInProvider, signInVeteran } from "../test/support/Client.ts"
import { sync } from "../test/support/Sync.ts"
import { open, resources } from "./Bench.ts"
import { benchmark } from "./Figure.ts"

/** Requests an answer without compression. */
const asked = async (url: string, headers: Record<string, string>) => {
  const response = await fetch(url, { headers: { ...headers, "accept-encoding": "identity" } })
  const text = await response.text()
  if (response.status !== 200) throw new Error(text)
  return text
}

/** Fetches all pages of a list, and returns their total time and size. */
const walked = async (first: string, headers: Record<string, string>, next: (answer: any) => ReadonlyArray<string>) => {
  const [started, queue] = [performance.now(), [first]]
  let [bytes, pages] = [0, 0]
  for (let url = queue.shift(); url !== undefined; url = queue.shift()) {
    const text = await asked(url, headers)
    bytes += Buffer.byteLength(text)
    pages++
    queue.push(...next(JSON.parse(text)))
  }
  return { ms: performance.now() - started, told: `${(bytes / 1e6).toFixed(2)} MB in ${pages} pages` }
}

/** Every page of `$everything` of 3,000 resources, against a provider's read of the same record. */
export const fhir = benchmark({
  rounds: 15,
  figures: {
    everything: { name: "$everything of 3,000", unit: "ms", floor: "a provider's read", goal: { atMost: 1.5 } }
  },
  open: Effect.fnUntraced(function*(tree) {
    const { owner, service } = yield* open(tree, { OAUTH_JWT_SECRET: oauthSecret })
    return yield* Effect.promise(async () => {
      const veteran = await signInVeteran(service)
      const texts = Object.fromEntries(resources(3000))
      await sync(service, veteran, Object.fromEntries(Object.keys(texts).map((type) => [type, "complete"])), texts)
      const categories = ["drug_abuse", "alcohol_abuse", "hiv", "sickle_cell"]
      const app = await connectApp(service, owner, veteran, { categories })
      const provider = await signInProvider(service)
      await giveGrant(service, veteran, provider, { sensitiveCategories: categories })
      const record = `${service.url}/api/provider/patients/${veteran.id}/record?limit=1000`
      return async () => {
        const ours = await walked(
          `${service.url}${root}/Patient/${veteran.id}/$everything`,
          app.headers,
          ({ link }) => link.flatMap((one: any) => one.relation === "next" ? one.url : [])
        )
        const theirs = await walked(
          record,
          provider.headers,
          ({ sections }) =>
            sections.flatMap(({ nextCursor, resourceType }: any) =>
              nextCursor === null ? [] : `${record}&resourceType=${resourceType}&cursor=${nextCursor}`
            )
        )
        return { everything: { ours: ours.ms, floor: theirs.ms, detail: `${ours.told}; the read ${theirs.told}` } }
      }
    })
  })
})
