import { Layer } from "effect"
import { CcdaDocuments } from "./CcdaDocuments.ts"
import { ReleasePreviews } from "./ReleasePreviews.ts"
import { ReleaseProcesses } from "./ReleaseProcesses.ts"
import { Releases } from "./Releases.ts"
import { Verification } from "./Verification.ts"

export const ReleaseLayer = Layer.mergeAll(
  CcdaDocuments.layer,
  Layer.mergeAll(ReleasePreviews.layer, Releases.layer).pipe(Layer.provide(ReleaseProcesses.layer)),
  Verification.layer
)
