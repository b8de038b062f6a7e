import { Layer } from "effect"
import { Documents } from "./Documents.ts"
import { FileStore } from "./FileStore.ts"

export const DocumentLayer = Documents.layer.pipe(Layer.provideMerge(FileStore.layer))
