import type pg from "pg"
import {
  type AppGrant,
  everything,
  linkIds,
  type LinkName,
  type Provider,
  providerGrantId,
  providers,
  rows,
  veterans
} from "./Rows.ts"
import { app, provider, recipient, release, seen, type Stated, touched, veteran } from "./Stated.ts"
import { writes } from "./Writes.ts"

/** Each case says which actor sees which rows. Together they define the policies. Writes.ts has the cases of writes. */

interface Read {
  readonly who: string
  readonly stated: Stated
  /** The names of the rows, or the SQLSTATE that refuses the statement. */
  readonly sees: ReadonlyArray<string> | string
}

/** Returns the names of the items' counts. Only the names of items begin with a capital letter. */
const countsOf = (names: ReadonlyArray<string>) =>
  names.filter((name) => /^[A-Z]/.test(name)).map((name) => `count of ${name}`)

const granted = (name: Provider, ...names: ReadonlyArray<string>): Read => ({
  who: `a provider with the grant '${name}'`,
  stated: provider(name),
  sees: [...names, ...countsOf(names), `note ${name}`, `look of ${name}`].map((row) => `A ${row}`).sort()
})

const without = (name: Provider): Read => ({
  who: `a provider whose grant is '${name}'`,
  stated: provider(name),
  sees: []
})

const linked = (name: LinkName, ...sees: ReadonlyArray<string>): Read => ({
  who: `a recipient whose link is '${name}'`,
  stated: recipient(name),
  sees
})

const released = (what: string, stated: Stated, ...names: ReadonlyArray<string>): Read => ({
  who: `a release of ${what}`,
  stated,
  sees: [...names, ...countsOf(names)].map((row) => `A ${row}`).sort()
})

const connected = (name: AppGrant, ...names: ReadonlyArray<string>): Read => ({
  who: `an app with the grant '${name}'`,
  stated: app(name),
  sees: [...names, ...countsOf(names)].map((row) => `A ${row}`).sort()
})

const otherKinds = ["", "provider ", "Provider", "VETERAN", "Recipient", "link", "system", "admin", "vrss_backup",
  "App", "apps", null]

const noUuids = ["x", "A", `${veterans.A} `, `${veterans.A}'`, veterans.A.slice(1), "0", "null", "*"]

export const reads: ReadonlyArray<Read> = [
  { who: "nobody stated", stated: {}, sees: [] },
  { who: "a veteran", stated: veteran("A"), sees: everything("A") },
  { who: "another veteran", stated: veteran("B"), sees: everything("B") },
  {
    who: "a veteran stated in capitals",
    stated: { actor: "veteran", veteran_id: veterans.A.toUpperCase() },
    sees: everything("A")
  },
  {
    who: "a veteran who also states a provider's id",
    stated: { ...provider("ofB"), actor: "veteran" },
    sees: everything("A")
  },
  { who: "an unknown veteran", stated: { actor: "veteran", veteran_id: providers.everything }, sees: [] },
  ...[undefined, null, ""].map((veteran_id): Read => ({
    who: `a veteran whose id is ${JSON.stringify(veteran_id)}`,
    stated: { actor: "veteran", ...(veteran_id === undefined ? {} : { veteran_id }) },
    sees: []
  })),
  ...noUuids.map((veteran_id): Read => ({
    who: `a veteran whose id is ${JSON.stringify(veteran_id)}`,
    stated: { actor: "veteran", veteran_id },
    sees: "22P02"
  })),
  ...otherKinds.map((actor): Read => ({
    who: `an actor of the kind ${JSON.stringify(actor)} with a release and the ids of a live grant and a live link`,
    stated: { ...app("everything"), ...recipient("live"), ...provider("everything"), ...release("Condition"), actor },
    sees: []
  })),
  { who: "ids of a live grant without an actor", stated: { ...provider("everything"), actor: null }, sees: [] },
  { who: "a provider who states no veteran", stated: { ...provider("everything"), veteran_id: null }, sees: [] },
  { who: "a provider without an id", stated: { ...provider("everything"), provider_id: "" }, sees: [] },
  { who: "a provider whose id is no UUID", stated: { ...provider("everything"), provider_id: "x" }, sees: "22P02" },
  {
    who: "a provider who states a veteran's id as their own",
    stated: { ...provider("everything"), provider_id: veterans.A },
    sees: []
  },
  { who: "a provider with a grant of A who states B", stated: provider("everything", "B"), sees: [] },
  { who: "a provider with a grant of B who states A", stated: provider("ofB", "A"), sees: [] },
  ...(["nothing", "expired", "revoked", "markedExpired", "disabled"] as const).map(without),
  granted(
    "everything",
    "Condition",
    "Condition hiv",
    "Condition alcohol_abuse",
    "Condition alcohol_abuse hiv",
    "Observation",
    "Observation alcohol_abuse",
    "Observation hiv",
    "upload",
    "entry"
  ),
  granted("conditions", "Condition"),
  granted("noTypes"),
  granted("hiv", "Condition", "Condition hiv", "Observation", "Observation hiv"),
  granted(
    "hivAndAlcohol",
    "Condition",
    "Condition hiv",
    "Condition alcohol_abuse",
    "Condition alcohol_abuse hiv",
    "Observation",
    "Observation alcohol_abuse",
    "Observation hiv"
  ),
  // The types of one grant do not combine with the categories of another.
  granted("twoGrants", "Condition", "Condition hiv", "Observation", "Observation alcohol_abuse"),
  granted("selfReported", "entry"),
  granted("documents", "upload"),

  connected(
    "everything",
    "Condition",
    "Condition hiv",
    "Condition alcohol_abuse",
    "Condition alcohol_abuse hiv",
    "Observation",
    "Observation alcohol_abuse",
    "Observation hiv"
  ),
  connected("conditions", "Condition"),
  connected("noTypes"),
  connected("hiv", "Condition", "Condition hiv", "Observation", "Observation hiv"),
  ...(["expired", "revoked", "markedExpired", "disabled"] as const).map((name) => connected(name)),
  { who: "an app with a grant of A that states B", stated: app("everything", "B"), sees: [] },
  { who: "an app with a grant of B that states A", stated: app("ofB", "A"), sees: [] },
  { who: "an app that states no veteran", stated: { ...app("everything"), veteran_id: null }, sees: [] },
  { who: "an app under a provider's grant", stated: { ...app("everything"), grant_id: providerGrantId }, sees: [] },
  {
    ...connected("conditions", "Condition"),
    who: "an app that also states a provider with a grant",
    stated: { ...provider("everything"), ...app("conditions") }
  },
  {
    who: "a provider without a grant who also states an app",
    stated: { ...app("everything"), ...provider("nothing") },
    sees: []
  },
  {
    who: "a veteran who also states another veteran's app",
    stated: { ...app("ofB"), ...veteran("A") },
    sees: everything("A")
  },
  ...[undefined, null, "", veterans.A].map((grant_id): Read => ({
    who: `an app whose grant's id is ${JSON.stringify(grant_id)}`,
    stated: { actor: "app", veteran_id: veterans.A, ...(grant_id === undefined ? {} : { grant_id }) },
    sees: []
  })),
  { who: "an app whose grant's id is no UUID", stated: { ...app("everything"), grant_id: "x" }, sees: "22P02" },

  released("one type", release("Condition"), "Condition"),
  released("two types", release("Condition,Observation"), "Condition", "Observation"),
  released("a type and a category", release("Condition", "hiv"), "Condition", "Condition hiv"),
  released(
    "types and categories",
    release("Observation,Condition", "alcohol_abuse,hiv"),
    "Condition",
    "Condition hiv",
    "Condition alcohol_abuse",
    "Condition alcohol_abuse hiv",
    "Observation",
    "Observation alcohol_abuse",
    "Observation hiv"
  ),
  released("a type that is not there", release("Procedure")),
  released("a part of a type's name", release("Cond")),
  released("categories that are not there", release("Condition", "drug_abuse,sickle_cell,,HIV"), "Condition"),
  ...[null, ""].flatMap((nothing) => [
    released(`types that are ${JSON.stringify(nothing)}`, { ...release(""), resource_types: nothing }),
    released(`categories that are ${JSON.stringify(nothing)}`, { ...release("Condition"), categories: nothing }),
    released(`a veteran who is ${JSON.stringify(nothing)}`, { ...release("Condition"), veteran_id: nothing })
  ]),
  released("an unknown veteran", { ...release("Condition"), veteran_id: providers.everything }),
  released(
    "a type with the ids of a live grant and a live link",
    { ...recipient("live"), ...provider("everything"), ...release("Observation") },
    "Observation"
  ),
  { who: "a release of B", stated: release("Condition", ",", "B"), sees: ["B Condition", "B count of Condition"] },
  {
    who: "a veteran who also states a release",
    stated: { ...release("Condition"), actor: "veteran" },
    sees: everything("A")
  },
  {
    who: "a provider without a grant who also states a release",
    stated: { ...release("Condition"), ...provider("nothing") },
    sees: []
  },

  linked("live", "A release"),
  linked("shared", "A release shared"),
  linked("sharedRevoked", "A release shared and revoked by B"),
  ...(["toUpload", "toEnded", "toRevoked", "disabled", "markedExpired", "expired", "ofB", "toKept",
    "toHidden"] as const)
    .map((name) => linked(name)),
  // If a veteran deletes a release that was shown to a recipient, then only the actor `retention` sees it.
  ...[{}, veteran("A"), recipient("toKept")].map((beside): Read => ({
    who: `the retention that also states ${JSON.stringify(beside)}`,
    stated: { ...beside, actor: "retention" },
    sees: [
      ...["A", "B"].flatMap((owner) => ["hidden", "kept", "kept too long"].map((name) => `${owner} release ${name}`)),
      "B release shared and kept by B",
      "B release shared and kept too long by B"
    ]
  })),
  { who: "a recipient of B", stated: recipient("ofB", "B"), sees: ["B release"] },
  ...(["live", "shared"] as const).map((name): Read => ({
    who: `a recipient with A's link '${name}' who states B`,
    stated: recipient(name, "B"),
    sees: []
  })),
  { who: "a recipient who states no veteran", stated: { ...recipient("live"), veteran_id: null }, sees: [] },
  {
    who: "a recipient who also states a live grant",
    stated: { ...provider("everything"), ...recipient("live") },
    sees: ["A release"]
  },
  {
    who: "a provider without a grant who also states a live link",
    stated: { ...recipient("live"), ...provider("nothing") },
    sees: []
  },
  {
    who: "a veteran who also states another veteran's link",
    stated: { ...recipient("live"), ...veteran("B") },
    sees: everything("B")
  },
  ...[undefined, null, "", veterans.A, rows.get("A release")!].map((link_id): Read => ({
    who: `a recipient whose link's id is ${JSON.stringify(link_id)}`,
    stated: { actor: "recipient", veteran_id: veterans.A, ...(link_id === undefined ? {} : { link_id }) },
    sees: []
  })),
  ...["x", "*", "0", `${linkIds.live}'`].map((link_id): Read => ({
    who: `a recipient whose link's id is ${JSON.stringify(link_id)}`,
    stated: { ...recipient("live"), link_id },
    sees: "22P02"
  }))
]

/** Tells the cases in which the database deviates. `client` must be in a transaction of the runtime role. */
export const deviations = async (client: pg.Client, among = writes, enough = Infinity) => {
  const found: Array<string> = []
  for (const { sees, stated, who } of reads) {
    if (found.length === enough) break
    const rows = await seen(client, stated, "matrix")
    if (`${rows}` !== `${sees}`) found.push(`reading as ${who}: ${rows} instead of ${sees}`)
  }
  for (const { becomes, stated, statement, what } of among) {
    if (found.length === enough) break
    const outcome = await touched(client, stated, statement)
    if (outcome !== becomes) found.push(`${what}: ${outcome} instead of ${becomes}`)
  }
  return found
}
