import { Schema } from "effect"
import * as Fs from "node:fs/promises"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"

export const fhirJson = "application/fhir+json; charset=utf-8"

export const outcomeText = (code: string, diagnostics: string) =>
  JSON.stringify({ resourceType: "OperationOutcome", issue: [{ severity: "error", code, diagnostics }] })

interface Search {
  /** It has a folder for each patient, with files `<Type>.ndjson.gz` and a `patient.json`. */
  readonly folder: string
  /** The name of the patient's folder. */
  readonly patient: string
  readonly resourceType: string
  readonly count: number
  /** Counted from 1. */
  readonly page: number
  readonly baseUrl: string
  /** The patient's id in links, if it is not the folder's name. */
  readonly id?: string
}

/**
 * Returns a page of a FHIR R4 search (http.html#search), whose resources are the file's, byte for byte. The links are
 * absolute. Otherwise says that there is no such patient, or that the type cannot be loaded.
 */
export const searchPage = async (
  { baseUrl, count, folder, page, patient, resourceType, id = patient }: Search
): Promise<string | "unknown" | "missing"> => {
  const found = await resourcesOf(folder, patient, resourceType)
  if (typeof found === "string") return found
  const link = (relation: string, page: number) => ({
    relation,
    url: `${baseUrl}/${resourceType}?${new URLSearchParams({ patient: id, _count: `${count}`, page: `${page}` })}`
  })
  const { lines, total } = found
  const envelope = JSON.stringify({
    resourceType: "Bundle",
    type: "searchset",
    total,
    link: [link("self", page), ...page * count < lines.length ? [link("next", page + 1)] : []]
  })
  const entries = lines.slice((page - 1) * count, page * count).map((line) =>
    `{"resource":${line},"search":{"mode":"match"}}`
  )
  // FHIR's JSON allows no empty arrays, so an empty page has no `entry`.
  return entries.length === 0 ? envelope : `${envelope.slice(0, -1)},"entry":[${entries.join(",")}]}`
}

/** Members of `patient.json`: the totals that the upstream server sent, and the types that it could not load. */
const decodePatient = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Struct({
  upstream: Schema.optionalKey(
    Schema.Record(Schema.String, Schema.Struct({ upstreamTotal: Schema.NullOr(Schema.Int) }))
  ),
  missingTypes: Schema.optionalKey(Schema.Array(Schema.String))
})))

const resourcesOf = async (folder: string, patient: string, resourceType: string) => {
  const file = /^[\w-]+$/.test(patient) ? await readIfThere(join(folder, patient, "patient.json")) : undefined
  if (file === undefined) return "unknown"
  const { missingTypes, upstream } = decodePatient(file.toString())
  if (missingTypes?.includes(resourceType)) return "missing"
  const ndjson = await readIfThere(join(folder, patient, `${resourceType}.ndjson.gz`))
  const lines = ndjson === undefined ? [] : gunzipSync(ndjson).toString().split("\n").filter((line) => line !== "")
  const counts = upstream?.[resourceType]
  // A null total means that the upstream server sent none.
  return { lines, total: counts === undefined ? lines.length : counts.upstreamTotal ?? undefined }
}

const readIfThere = (path: string) => Fs.readFile(path).catch(() => undefined)
