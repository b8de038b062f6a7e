import { spanish as account } from "../account/words/Spanish.ts"
import { spanish as confirm } from "../confirm/words/Spanish.ts"
import { spanish as connect } from "../connect/words/Spanish.ts"
import { spanish as documents } from "../documents/words/Spanish.ts"
import { spanish as frame } from "../frame/words/Spanish.ts"
import { spanish as home } from "../home/words/Spanish.ts"
import { spanish as link } from "../link/words/Spanish.ts"
import { spanish as looks } from "../looks/words/Spanish.ts"
import { spanish as passkey } from "../passkey/words/Spanish.ts"
import { spanish as record } from "../record/words/Spanish.ts"
import { spanish as release } from "../release/words/Spanish.ts"
import { spanish as share } from "../share/words/Spanish.ts"
import { spanish as sharing } from "../sharing/words/Spanish.ts"
import { spanish as update } from "../update/words/Spanish.ts"

/** The words of all rooms of the app in Spanish, as it is spoken in the United States. */
export const spanish = {
  account,
  confirm,
  connect,
  documents,
  frame,
  home,
  link,
  looks,
  passkey,
  record,
  release,
  share,
  sharing,
  update
}

export type Rooms = typeof spanish
