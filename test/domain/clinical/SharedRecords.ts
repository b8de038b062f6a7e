import { existsSync, readdirSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { fileURLToPath } from "node:url"
import { gunzipSync } from "node:zlib"
import type { RecordItem } from "../../../src/domain/clinical/Sections.ts"

const shared = fileURLToPath(new URL("../../../../shared/fhir", import.meta.url))

const fixtures = fileURLToPath(new URL("../../fixtures/fhir", import.meta.url))

/** The collection of all patients; a checkout alone has some of them. */
const collection = existsSync(shared) ? shared : fixtures

/** Every patient of the collection. */
export const patients = (): ReadonlyArray<string> =>
  readdirSync(collection, { withFileTypes: true }).filter((entry) =>
    entry.isDirectory() && existsSync(join(collection, entry.name, "patient.json"))
  ).map(({ name }) => name)

/** The record of a patient: each resource's text as it was received. */
export const recordOf = (patient: string): ReadonlyArray<RecordItem> =>
  readdirSync(join(collection, patient)).filter((file) => file.endsWith(".ndjson.gz")).flatMap((file) =>
    gunzipSync(readFileSync(join(collection, patient, file))).toString().split("\n").filter((line) => line !== "")
      .map((text) => ({ resourceType: basename(file, ".ndjson.gz"), fhirId: JSON.parse(text).id as string, text }))
  )

/** Resources that are valid JSON and odd FHIR. */
export const awkward = (): ReadonlyArray<RecordItem> => {
  const folder = join(collection, "awkward")
  return readdirSync(folder).filter((file) => file !== "naughty-strings.json").map((file) => {
    const bytes = readFileSync(join(folder, file))
    const text = (file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString().replace(/^\uFEFF/, "")
    return { resourceType: String(JSON.parse(text).resourceType), fhirId: file, text }
  })
}
