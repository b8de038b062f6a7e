import { createHash } from "node:crypto"
import { globSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { readText } from "../../support/Collection.ts"
import type { Texts } from "../../support/Sync.ts"

const fixtures = fileURLToPath(new URL("../../fixtures/fhir", import.meta.url))

/** These patients have small resources: 30,000 of them fit in one sync. */
const patients = "{syn-zandra428-ohara248,va-*}"

const real = globSync(`${patients}/*.ndjson.gz`, { cwd: fixtures }).sort().flatMap((file) =>
  readText(`${fixtures}/${file}`).trim().split("\n").map((line) => JSON.parse(line))
)

const words = "left knee walks slept well daily water review again mild tablet morning stairs visit spring rain".split(
  " "
)

/** Writes about `length` letters, different for each `seed` (a linear congruential generator). */
const prose = (seed: number, length: number) => {
  let [state, text] = [seed, ""]
  while (text.length < length) {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    text += `${words[state >>> 28]} ${state % 1000} `
  }
  return text
}

/**
 * One in this many resources of a type is large, and is stored compressed. The small ones between two large ones have
 * more than 1 MiB in total.
 */
const largeEvery = 650

const documents = Array.from(
  { length: 150 },
  (_, n) => ({ resourceType: "DocumentReference", id: `copy-${n}`, status: "current", description: prose(n, 30_000) })
)

const text = (resource: object) => JSON.stringify(resource)

/**
 * Makes a record of about `count` resources: a patient, 150 documents of 30 kB each, and copies of real resources under
 * other ids.
 */
export const largeRecord = (count: number): Texts => {
  const [patient] = real.filter(({ resourceType }) => resourceType === "Patient")
  const others = real.filter(({ resourceType }) => !["Patient", "DocumentReference"].includes(resourceType))
  const copies = Array.from(Map.groupBy(others, ({ resourceType }) => resourceType), ([type, resources]) => {
    const length = Math.ceil((count - documents.length) * resources.length / others.length)
    const texts = Array.from({ length }, (_, n) => {
      const note = [{ text: prose(n, n % largeEvery === largeEvery - 1 ? 40_000 : 700) }]
      return text({ ...resources[n % resources.length], id: `copy-${`${n}`.padStart(5, "0")}`, note })
    })
    return [type, texts]
  })
  return { Patient: [text(patient)], DocumentReference: documents.map(text), ...Object.fromEntries(copies) }
}

/** A digest that distinguishes two records, independent of the order of their resources. */
export const recordDigest = (texts: Texts) =>
  createHash("sha256").update(Object.values(texts).flat().map((one) => text(JSON.parse(one))).sort().join())
    .digest("hex")
