import { spanish as confirm } from "../confirm/words/Spanish.ts"
import { spanish as documents } from "../documents/words/Spanish.ts"
import { spanish as frame } from "../frame/words/Spanish.ts"
import { spanish as home } from "../home/words/Spanish.ts"
import { spanish as looks } from "../looks/words/Spanish.ts"

/** The words of all rooms of the app in Spanish, as it is spoken in the United States. */
export const spanish = { confirm, documents, frame, home, looks }

export type Rooms = typeof spanish
