import { Schema } from "effect"
import { Manifest } from "../../domain/Manifest.ts"

/** Reads the column `veterans.fhir_sync_manifest`. What does not decode there is a defect. */
export const fromStored = Schema.decodeUnknownSync(Manifest)

export const toStored = Schema.encodeSync(Manifest)
