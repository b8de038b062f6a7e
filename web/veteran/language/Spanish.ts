import { spanish as account } from "../account/words/Spanish.ts"
import { spanish as confirm } from "../confirm/words/Spanish.ts"

/** The words of all rooms of the app in Spanish, as it is spoken in the United States. */
export const spanish = { account, confirm }

export type Rooms = typeof spanish
