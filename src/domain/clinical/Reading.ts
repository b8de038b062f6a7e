import { anyResource } from "./AnyResource.ts"
import type { Reader } from "./Reader.ts"

/** What reads each type; every other type is read by `anyResource`. */
const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([])

export const readerOf = (resourceType: string): Reader => readers.get(resourceType) ?? anyResource
