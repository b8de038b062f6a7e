import { openDatabase } from "../support/App.ts"
import { fill } from "./Rows.ts"

/** Opens a database with the rows of Rows.ts. */
export const openFilled = async () => {
  const database = await openDatabase()
  const superuser = await database.connect("superuser")
  await fill(superuser)
  return { database, superuser, runtime: await database.connect("runtime") }
}
