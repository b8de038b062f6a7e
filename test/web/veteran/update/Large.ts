import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { patientTexts } from "../../../support/Collection.ts"
import type { Texts } from "../../../support/Sync.ts"

/** Writes a patient's folder whose types have this many times the resources of a shared patient, under other ids. */
export const writePatient = (folder: string, name: string, of: string, times: number): Texts => {
  mkdirSync(join(folder, name))
  writeFileSync(join(folder, name, "patient.json"), "{}")
  const entries = Object.entries(patientTexts(of)).map(([type, texts]) => {
    const copies = Array.from({ length: Math.round(texts.length * times) }, (_, index) => {
      const [text, turn] = [texts[index % texts.length]!, Math.floor(index / texts.length)]
      const { id }: { id: string } = JSON.parse(text)
      return turn === 0 ? text : text.replace(`"id":"${id}"`, `"id":"${id}-${turn}"`)
    })
    writeFileSync(join(folder, name, `${type}.ndjson.gz`), gzipSync(copies.join("\n")))
    return [type, copies] as const
  })
  return Object.fromEntries(entries)
}
