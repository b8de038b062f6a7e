import { spanish as confirm } from "../confirm/words/Spanish.ts"
import { spanish as documents } from "../documents/words/Spanish.ts"
import { spanish as frame } from "../frame/words/Spanish.ts"

/** The words of all rooms of the app in Spanish, as it is spoken in the United States. */
export const spanish = { confirm, documents, frame }

export type Rooms = typeof spanish
