import { spanish as confirm } from "../confirm/words/Spanish.ts"
import { spanish as release } from "../release/words/Spanish.ts"
import { spanish as share } from "../share/words/Spanish.ts"

/** The words of all rooms of the app in Spanish, as it is spoken in the United States. */
export const spanish = { confirm, release, share }

export type Rooms = typeof spanish
