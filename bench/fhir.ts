import { Effect } from "effect"
import { connectApp, fhir } from "../test/http/fhir/Apps.ts"
import { bearer, giveGrant, signInProvider, signInVeteran } from "../test/support/Client.ts"
import { sync } from "../test/support/Sync.ts"
import { type Bench, line, median, resources } from "./Bench.ts"

const rounds = 25

/** Bytes and milliseconds of an answer as it leaves, without compression. */
const timed = async (url: string, headers: Record<string, string>) => {
  const started = performance.now()
  const response = await fetch(url, { headers: { ...headers, "accept-encoding": "identity" } })
  const text = await response.text()
  if (response.status !== 200) throw new Error(text)
  return { ms: performance.now() - started, bytes: Buffer.byteLength(text), text }
}

/** Every page of `$everything` of 3,000 resources against a provider's read of the same record, byte for byte. */
export const benchFhir = ({ owner, service }: Bench) =>
  Effect.promise(async () => {
    const veteran = await signInVeteran(service)
    const texts = Object.fromEntries(resources(3000))
    await sync(service, veteran, Object.fromEntries(Object.keys(texts).map((type) => [type, "complete"])), texts)
    const categories = ["drug_abuse", "alcohol_abuse", "hiv", "sickle_cell"]
    const app = await connectApp(service, owner, veteran, { categories })
    const provider = await signInProvider(service)
    await giveGrant(service, veteran, provider, { sensitiveCategories: categories })
    const everything = async () => {
      let [ms, bytes, pages] = [0, 0, 0]
      let next: string | undefined = `${service.url}${fhir}/Patient/${veteran.id}/$everything`
      while (next !== undefined) {
        const page = await timed(next, app.headers)
        ms += page.ms
        bytes += page.bytes
        pages++
        const links: ReadonlyArray<{ readonly relation: string; readonly url: string }> = JSON.parse(page.text).link
        next = links.find(({ relation }) => relation === "next")?.url
      }
      return { ms, bytes, pages }
    }
    const record = async () => {
      let [ms, bytes, pages] = [0, 0, 0]
      const queue = [""]
      for (let query = queue.shift(); query !== undefined; query = queue.shift()) {
        const url = `${service.url}/api/provider/patients/${veteran.id}/record?limit=1000${query}`
        const page = await timed(url, bearer(provider.token))
        ms += page.ms
        bytes += page.bytes
        pages++
        for (const { nextCursor, resourceType } of JSON.parse(page.text).sections) {
          if (nextCursor !== null) queue.push(`&resourceType=${resourceType}&cursor=${nextCursor}`)
        }
      }
      return { ms, bytes, pages }
    }
    const figures = []
    for (let round = 0; round < rounds + 3; round++) {
      const ours = await everything()
      const theirs = await record()
      if (round >= 3) figures.push({ ours, theirs })
    }
    const [{ ours, theirs }] = figures as [typeof figures[0] & {}]
    line(
      "$everything of 3,000 resources / record read",
      median(figures.map(({ ours, theirs }) => ours.ms / theirs.ms)),
      "<= 1.50",
      `${median(figures.map(({ ours }) => ours.ms)).toFixed(0)} ms, ${
        (ours.bytes / 1e6).toFixed(2)
      } MB in ${ours.pages} pages; ${median(figures.map(({ theirs }) => theirs.ms)).toFixed(0)} ms, ${
        (theirs.bytes / 1e6).toFixed(2)
      } MB in ${theirs.pages}`
    )
  })
