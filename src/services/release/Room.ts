import { Layer } from "effect"
import { CcdaDocuments } from "./CcdaDocuments.ts"
import { Releases } from "./Releases.ts"
import { Verification } from "./Verification.ts"

export const ReleaseLayer = Layer.mergeAll(CcdaDocuments.layer, Releases.layer, Verification.layer)
