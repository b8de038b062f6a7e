import { spanish as confirm } from "../confirm/words/Spanish.ts"
import { spanish as connect } from "../connect/words/Spanish.ts"
import { spanish as passkey } from "../passkey/words/Spanish.ts"

/** The words of all rooms of the app in Spanish, as it is spoken in the United States. */
export const spanish = { confirm, connect, passkey }

export type Rooms = typeof spanish
