import { assert, test } from "vitest"
import { SensitiveCategory } from "../../../src/domain/SensitiveCategory.ts"
import { openApp } from "../../support/App.ts"
import { giveGrant, registerVeterans, signIn } from "../../support/Client.ts"
import { newProvider } from "../../support/Providers.ts"
import { seededRandom } from "../../support/Random.ts"
import { isWhole } from "../../support/Runs.ts"
import { type Category, readRecord, resource, sync } from "../../support/Sync.ts"
import { readPatientRecord } from "../Sharing.ts"
import { referring } from "./References.ts"

const types = ["Encounter", "Observation", "Provenance"]

const ids = ["0", "1", "2", "3", "4", "5"]

const categoriesHere: ReadonlyArray<Category> = ["alcohol_abuse", "hiv", "sickle_cell"]

interface Item {
  readonly own: ReadonlyArray<string>
  readonly references: ReadonlyArray<string>
  active: boolean
}

type Model = Map<string, Item>

/** Gives each item the categories of all items to which it refers, directly or through other items. */
const closure = (model: Model) => {
  const reach = (name: string, seen: Set<string>): Set<string> => {
    const item = model.get(name)
    if (item === undefined || seen.has(name)) return seen
    seen.add(name)
    for (const reference of item.references) reach(reference, seen)
    return seen
  }
  return Object.fromEntries(
    [...model.keys()].sort().map((name) => {
      const all = new Set([...reach(name, new Set())].flatMap((reached) => model.get(reached)!.own))
      return [name, SensitiveCategory.literals.filter((category) => all.has(category))]
    })
  )
}

const { database, service } = await openApp()

const owner = await database.connect("owner")

const superuser = await database.connect("superuser")

test.each(Array.from({ length: isWhole ? 12 : 1 }, (_, seed) => seed))(
  "After each of five syncs, a random record has the categories of a naive computation (seed %i)",
  async (seed) => {
    const random = seededRandom(seed)
    const below = (limit: number) => Math.floor(random() * limit)
    const veteran = await signIn(service, (await registerVeterans(owner, 1))[0]!)
    const provider = await newProvider(owner)
    await giveGrant(service, veteran, provider, { sensitiveCategories: ["hiv"] })
    const model: Model = new Map()
    for (let step = 0; step < 5; step++) {
      const chosen = types.filter(() => random() < 0.6)
      const texts = Object.fromEntries(chosen.map((type) => {
        for (const [name, item] of model) if (name.startsWith(`${type}/`)) item.active = false
        return [type, ids.filter(() => random() < 0.7).map((id) => {
          const name = `${type}/${id}`
          const before = model.get(name)
          if (before !== undefined && random() < 0.5) {
            before.active = true
            return texted(type, id, before)
          }
          const references = Array.from({ length: below(3) }, () => `${types[below(3)]}/${ids[below(6)]}`)
          const own = random() < 0.15 ? [categoriesHere[below(3)]!] : []
          const item = { own, references, active: true }
          model.set(name, item)
          return texted(type, id, item)
        })]
      }))
      await sync(service, veteran, Object.fromEntries(chosen.map((type) => [type, "complete"])), texts)
      const expected = closure(model)
      const { items } = await readRecord(service, veteran, { includeInactive: "true" })
      const found = items.map((item) => [`${item.resourceType}/${item.fhirId}`, item.sensitiveCategories])
      assert.deepStrictEqual(Object.fromEntries(found), expected)
      const { sections } = (await readPatientRecord(service, provider, veteran)).json
      const shown = sections.flatMap(({ items }: any) =>
        items.map((item: any) => `${item.resourceType}/${item.fhirId}`)
      )
      const granted = Object.entries(expected).filter(([name, categories]) =>
        model.get(name)!.active && categories.every((category) => category === "hiv")
      )
      assert.deepStrictEqual(shown, granted.map(([name]) => name))
      assert.deepStrictEqual(
        sections.map(({ itemCount, resourceType }: any) => [resourceType, itemCount]),
        sections.map((
          { resourceType }: any
        ) => [resourceType, granted.filter(([name]) => name.startsWith(`${resourceType}/`)).length])
      )
    }
    const { rows } = await superuser.query(
      `select (select jsonb_agg(c order by resource_type, category_set) from (
          select resource_type, category_set, items from health_record_counts where veteran_id = $1 and items <> 0
        ) c) as kept,
        (select jsonb_agg(c order by resource_type, category_set) from (
          select resource_type, app.category_set(sensitive_categories) as category_set, count(*) as items
          from health_record_items
          where veteran_id = $1 and active group by 1, 2
        ) c) as counted`,
      [veteran.id]
    )
    assert.deepStrictEqual(rows[0].kept, rows[0].counted)
  }
)

/** Makes the text of an item. An item without references is an ordinary resource. */
const texted = (type: string, id: string, { own, references }: Item) =>
  references.length === 0
    ? resource(type, id, { categories: own as ReadonlyArray<Category> })
    : referring(type, id, references, { categories: own as ReadonlyArray<Category> })
