import { isReadable } from "../record/ReadableJson.ts"
import { searchedMembers } from "./SearchedMembers.ts"

/** Parses the members with these names, step by step. Returns undefined if the item is too large to parse. */
export function* readMembers(bytes: Uint8Array, names: ReadonlySet<string>): Generator<void, unknown> {
  return (yield* isReadable(bytes)) ? yield* searchedMembers(bytes, names) : undefined
}
