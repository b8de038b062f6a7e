import { randomUUID } from "node:crypto"
import { setTimeout } from "node:timers/promises"
import type pg from "pg"
import { assert } from "vitest"
import { revokeLink } from "../http/link/Links.ts"
import { askGrant, call } from "../support/Client.ts"
import type { Service } from "../support/Service.ts"
import { postSync, resource } from "../support/Sync.ts"
import type { People } from "./Ground.ts"

const entries = "/api/veteran/me/self-reported-entries"

/** A veteran with a release, to which links can be made. */
export type Person = People & { readonly documentId: string }

/** Writes and reads through all processes until it is stopped, and remembers what was answered. */
export const startLoad = (services: ReadonlyArray<Service>, people: ReadonlyArray<Person>) => {
  /** Names of acts that were answered with success, by kind. */
  const answered = {
    items: new Set<string>(),
    entries: new Set<string>(),
    grants: new Set<string>(),
    links: new Set<string>(),
    revoked: new Set<string>()
  }
  /** Answers that were no success, and requests without an answer. */
  const others = new Map<string, number>()
  const state = { runs: true, reads: 0 }
  type Told = { readonly status: number; readonly json: any }

  const note = async (what: string, request: Promise<Told>) => {
    const answer = await request.catch((error) => ({ status: 0, json: { error: `${error}` } }))
    if (answer.status < 200 || answer.status > 299) {
      const told = `${what} ${answer.status} ${answer.json?.error}`
      others.set(told, (others.get(told) ?? 0) + 1)
      return undefined
    }
    return answer.json
  }

  const turn = async (service: Service, { documentId, provider, veteran }: Person) => {
    const [item, text] = [randomUUID(), randomUUID()]
    const grant = await note("grant", askGrant(service, veteran, provider))
    if (grant !== undefined) answered.grants.add(grant.id ?? grant.grant.id)
    if (await note("entry", call(service, "POST", entries, { ...veteran, body: { category: "note", text } }))) {
      answered.entries.add(text)
    }
    const body = { documentId, recipientName: "Jane Gray", recipientEmail: `${documentId}@clinic.example` }
    const created = await note("link", call(service, "POST", "/api/veteran/me/secure-links", { ...veteran, body }))
    if (created !== undefined) {
      answered.links.add(created.link.id)
      if (await note("revoke", revokeLink(service, veteran, created.link))) answered.revoked.add(created.link.id)
    }
    const synced = postSync(service, veteran, { Condition: "complete" }, { Condition: [resource("Condition", item)] })
    if (await note("sync", synced)) answered.items.add(item)
    const record = `/api/provider/patients/${veteran.id}/record`
    for (const [path, who] of [["/api/veteran/me/health-record", veteran], [record, provider]] as const) {
      if (await note(`read ${path.split("/")[2]}`, call(service, "GET", path, { headers: who.headers }))) state.reads++
    }
  }

  const load = people.map(async (person, first) => {
    for (let round = first; state.runs; round++) {
      await turn(services[round % services.length]!, person)
      await setTimeout(50)
    }
  })

  return {
    answered,
    others,
    reads: () => state.reads,
    stop: async () => {
      state.runs = false
      await Promise.all(load)
    }
  }
}

type Load = ReturnType<typeof startLoad>

/** Asserts that what was refused was refused as the contract says, and that each request was answered. */
export const assertRefusals = ({ others }: Load) => {
  // A veteran may have a limited number of grants to one provider.
  const allowed = / (503 service_unavailable|429 rate_limited)$|^grant 409 conflict$/
  const strange = [...others].filter(([told]) => !allowed.test(told))
  assert.deepStrictEqual(strange, [])
}

/** Reads the texts of all entries of a veteran. */
const textsOf = async (service: Service, { headers }: Person["veteran"]) => {
  const texts: Array<string> = []
  for (let cursor = "";;) {
    const { json, status, text } = await call(service, "GET", `${entries}?limit=200${cursor}`, { headers })
    assert.strictEqual(status, 200, text)
    texts.push(...json.items.map((entry: { readonly text: string }) => entry.text))
    if (json.nextCursor === null) return texts
    cursor = `&cursor=${json.nextCursor}`
  }
}

/** Asserts that each act that was answered is in the database, exactly once. */
export const assertKept = async (
  { answered }: Load,
  service: Service,
  people: ReadonlyArray<Person>,
  superuser: pg.Client
) => {
  const texts = (await Promise.all(people.map(({ veteran }) => textsOf(service, veteran)))).flat()
  const namesIn = async (statement: string) => (await superuser.query(statement)).rows.map(({ name }) => `${name}`)
  const kept = {
    entries: texts,
    items: await namesIn("select fhir_id as name from health_record_items"),
    grants: await namesIn("select id as name from consent_grants"),
    links: await namesIn("select id as name from secure_links"),
    revoked: await namesIn("select id as name from secure_links where status = 'disabled'")
  }
  for (const [kind, names] of Object.entries(answered)) {
    const times = new Map([...names].map((name) => [name, 0]))
    for (const name of kept[kind as keyof typeof kept]) {
      if (times.has(name)) times.set(name, times.get(name)! + 1)
    }
    assert.deepStrictEqual([...times].filter(([, count]) => count !== 1), [], `${kind} that are lost or there twice`)
  }
}
