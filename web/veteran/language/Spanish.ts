import { spanish as account } from "../account/words/Spanish.ts"
import { spanish as confirm } from "../confirm/words/Spanish.ts"
import { spanish as frame } from "../frame/words/Spanish.ts"

/** The words of all rooms of the app in Spanish, as it is spoken in the United States. */
export const spanish = { account, confirm, frame }

export type Rooms = typeof spanish
