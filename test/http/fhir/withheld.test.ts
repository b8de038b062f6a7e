import { assert, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { call, type SignedIn, signInVeteran } from "../../support/Client.ts"
import { isWhole } from "../../support/Runs.ts"
import { type Category, resource, sync } from "../../support/Sync.ts"
import { connectApp, fhir, get } from "./Apps.ts"

// 38 U.S.C. 7332(a)(2): two veterans who differ only in withheld items look the same to the app.

const { database, service } = await openApp()

const owner = await database.connect("owner")

const began = Date.now()

/** For each type, the ids of the items that the app may see, and how each fetch ends. */
const types = [
  { type: "Observation", shown: ["g", "z"], fetches: ["complete"] },
  { type: "Condition", shown: [], fetches: ["complete"] },
  { type: "Encounter", shown: ["g"], fetches: ["complete", "partial"] },
  { type: "Goal", shown: [], fetches: ["complete", "unavailable"] },
  { type: "Procedure", shown: [], fetches: ["partial"] },
  { type: "Patient", shown: ["p"], fetches: ["complete"] }
]

/** What the sorted searches find, and what they include. */
const included = ["MedicationRequest", "Medication", "Provenance"]
  .map((type) => ({ type, shown: ["g", "z"], fetches: ["complete"] }))

/** By any date, `a` is the oldest item and `n` the newest. */
const yearOf: Readonly<Record<string, number>> = { a: 1990, g: 2005, z: 2010, n: 2030 }

/** Makes items that a search can sort and include. A withheld item may refer to one that the app sees. */
const itemOf = (type: string, id: string, categories: ReadonlyArray<Category> = []) => {
  const date = `${yearOf[id] ?? 2000}-01-01`
  const members: Readonly<Record<string, object>> = {
    Observation: { effectiveDateTime: date },
    Condition: { onsetDateTime: date },
    Goal: { target: [{ dueDate: date }] },
    Encounter: { period: { start: date } },
    Procedure: { performedDateTime: date },
    MedicationRequest: { authoredOn: date, medicationReference: { reference: `Medication/${id}` } },
    Provenance: { recorded: date, target: [{ reference: `Observation/${id === "a" ? "g" : id}` }] }
  }
  return JSON.stringify({ ...JSON.parse(resource(type, id, { categories })), ...members[type] })
}

const withRecord = async (categories: ReadonlyArray<Category>) => {
  const veteran = await signInVeteran(service)
  for (const at of [0, 1]) {
    const fetched = [...types, ...included].filter(({ fetches }) => at < fetches.length)
    await sync(
      service,
      veteran,
      Object.fromEntries(fetched.map(({ fetches, type }) => [type, fetches[at]!])),
      Object.fromEntries(fetched.map(({ shown, type }) => [type, at === 1 ? [] : [
        ...categories.length === 0 ? [] : ["a", "n"].map((id) => itemOf(type, id, categories)),
        ...shown.map((id) => itemOf(type, id))
      ]]))
    )
  }
  return veteran
}

/**
 * Sends every form of request that an app may use, follows all next pages, and returns the answers. The quick tier
 * sends a third of the forms for each type: each form for two types.
 */
const looks = async (veteran: SignedIn, granted: ReadonlyArray<Category>) => {
  const app = await connectApp(service, owner, veteran, { categories: granted })
  const everything = `/Patient/${veteran.id}/$everything`
  const queue = [
    ...types.flatMap(({ type }, at) =>
      [
        `/${type}`,
        `/${type}?_count=1`,
        `/${type}?_count=0`,
        `/${type}?_id=a,g,n`,
        `/${type}?_id=a&_count=0`,
        `/${type}?_lastUpdated=ge2020&_count=1`,
        `/${type}?patient=p`,
        `/${type}?status=final`,
        `/${type}?code=x&_count=0`,
        `/${type}/a`,
        `/${type}/g`
      ].filter((_, form) => isWhole || (form + at) % 3 === 0)
    ),
    ...["Observation", "MedicationRequest"].flatMap((type) => [
      `/${type}?_sort=_lastUpdated`,
      `/${type}?_sort=-_lastUpdated&_count=1`,
      `/${type}?_sort=-date&_count=1`,
      `/${type}?_sort=-date&_count=0`,
      `/${type}?_sort=date&_id=a,g,n&status=final`,
      `/${type}?_revinclude=Provenance:target&_sort=-date&_count=1`,
      `/${type}?_include=MedicationRequest:medication&_sort=date&_count=1`,
      `/Patient/p/${type}?_sort=-date`
    ]),
    everything,
    `${everything}?_count=1`,
    `${everything}?_since=2020-01-01T00:00:00Z`,
    `${everything}?_type=Condition,Goal`,
    `/Patient/${veteran.id}`,
    "/Patient/p/$everything"
  ]
  const posted = await call(service, "POST", `${fhir}${everything}`, {
    headers: { ...app.headers, "content-type": "application/x-www-form-urlencoded" },
    body: "_count=2"
  })
  const answers = [normalised(posted.text)]
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    const answer = await get(service, app, path)
    answers.push(`${answer.status} ${answer.headers.get("content-length")} ${normalised(answer.text)}`)
    const next = answer.json?.link?.find?.(({ relation }: any) => relation === "next")
    if (next !== undefined) queue.push(next.url.slice(`${service.url}${fhir}`.length))
  }
  return answers
}

const everything = async (veteran: SignedIn, granted: ReadonlyArray<Category>) => {
  const app = await connectApp(service, owner, veteran, { categories: granted })
  return get(service, app, `/Patient/${veteran.id}/$everything`)
}

/** Blanks ids, times and signatures without changing their lengths. */
const normalised = (text: string) =>
  text
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "00000000-0000-0000-0000-000000000000")
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, "0000-00-00T00:00:00.000Z")
    .replaceAll(/_cursor=([\w-]+)\.[\w-]{22}/g, (_, position) => `_cursor=${positionIn(position)}`)

/** A position may begin with when the item was stored. */
const positionIn = (position: string) => {
  const [first, ...rest] = JSON.parse(Buffer.from(position, "base64url").toString())
  return JSON.stringify([Number(first) > began ? "now" : first, ...rest])
}

test.each<readonly [ReadonlyArray<Category>, ReadonlyArray<Category>]>([
  [["hiv", "alcohol_abuse"], ["alcohol_abuse"]],
  ...isWhole ? [[["hiv"], []]] as const : []
])(
  "A veteran with items of %j looks to an app that was granted %j like a veteran without them",
  async (withheld, granted) => {
    const [one, other] = [await withRecord(withheld), await withRecord([])]
    assert.deepStrictEqual(await looks(one, granted), await looks(other, granted))
    // An app that may see the items does notice a difference.
    const [seen, unseen] = [await everything(one, withheld), await everything(other, withheld)]
    assert.strictEqual(seen.status, 200)
    assert.notStrictEqual(normalised(seen.text), normalised(unseen.text))
  }
)

test("A withheld Patient is neither linked from the generated Patient nor accepted by $everything", async () => {
  const veteran = await signInVeteran(service)
  await sync(service, veteran, { Patient: "complete" }, {
    Patient: [resource("Patient", "p", { categories: ["hiv"] })]
  })
  const app = await connectApp(service, owner, veteran)
  const generated = await get(service, app, `/Patient/${veteran.id}`)
  assert.isUndefined(generated.json.link)
  assert.strictEqual((await get(service, app, "/Patient/p/$everything")).status, 404)
  const admitted = await connectApp(service, owner, veteran, { categories: ["hiv"] })
  assert.strictEqual((await get(service, admitted, "/Patient/p/$everything")).status, 200)
})
