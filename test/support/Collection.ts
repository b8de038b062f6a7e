import { existsSync, globSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { gunzipSync } from "node:zlib"
import type { Texts } from "./Sync.ts"

/** The folder of test patients in this repository. It also holds recorded answers of FHIR servers. */
export const fixtures = fileURLToPath(new URL("../fixtures/fhir", import.meta.url))

/** FHIR_COLLECTION names a folder of further patients. Tests that run over all patients then include them. */
const folders = [process.env["FHIR_COLLECTION"] ?? [], fixtures].flat()

/** A patient of this repository replaces a patient of FHIR_COLLECTION with the same name. */
const folderByPatient = new Map(
  folders.flatMap((folder) =>
    readdirSync(folder).filter((name) => existsSync(join(folder, name, "patient.json"))).map((name) => [name, folder])
  )
)

export const patients: ReadonlyArray<string> = [...folderByPatient.keys()].toSorted()

/** All but the two with most resources. Other patients are of the same generators, in the same versions. */
export const smallerPatients = patients.filter((patient) => !/^syn-(?:kristie55|marine542)-/.test(patient))

/** The folder that contains the patient's folder. */
export const folderOf = (patient: string) => folderByPatient.get(patient)!

export const readText = (path: string) => {
  const bytes = readFileSync(path)
  return (path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString()
}

export const readLines = (path: string): ReadonlyArray<string> =>
  readText(path).split("\n").filter((line) => line !== "")

export const patientTexts = (patient: string): Texts =>
  Object.fromEntries(
    globSync("*.ndjson.gz", { cwd: join(folderOf(patient), patient) }).toSorted().map((file) => [
      file.replace(".ndjson.gz", ""),
      readLines(join(folderOf(patient), patient, file))
    ])
  )

/** Resources that are valid JSON and unusual FHIR. */
export const awkward = globSync("awkward/*.json.gz", { cwd: fixtures })
  .filter((file) => !file.endsWith("/naughty-strings.json.gz"))
  .map((file) => ({ file, text: readText(join(fixtures, file)) }))
