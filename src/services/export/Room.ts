import { Exports } from "./Exports.ts"

export const ExportLayer = Exports.layer
