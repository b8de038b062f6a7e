import { existsSync, globSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { gunzipSync } from "node:zlib"
import type { Texts } from "./Sync.ts"

/** The whole collection is read where it lies beside the repository, otherwise the part of it that is in the repository. */
const shared = fileURLToPath(new URL("../../../shared/fhir", import.meta.url))

const fixtures = fileURLToPath(new URL("../fixtures/fhir", import.meta.url))

export const isWhole = existsSync(shared)

export const collection = isWhole ? shared : fixtures

export const readText = (path: string) => {
  const bytes = readFileSync(path)
  return (path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString()
}

export const patients = readdirSync(collection).filter((name) => existsSync(join(collection, name, "patient.json")))

export const patientTexts = (patient: string): Texts =>
  Object.fromEntries(
    globSync("*.ndjson.gz", { cwd: join(collection, patient) }).map((file) => [
      file.replace(".ndjson.gz", ""),
      readText(join(collection, patient, file)).split("\n").filter((line) => line !== "")
    ])
  )
