import { join } from "node:path"
import { afterAll, test } from "vitest"
import { openDatabase, openFolder } from "../../support/App.ts"
import { startService } from "../../support/Service.ts"
import { raceRevokes } from "./RevokeRaces.ts"

const home = { directory: await openFolder() }

const database = await openDatabase()

const superuser = await database.connect("superuser")

const start = () => startService(database, { UPLOAD_DIR: join(home.directory, ".data/uploads") })

const one = await start()

const other = await start()

afterAll(() => Promise.all([one.stop("SIGKILL"), other.stop("SIGKILL")]))

test("No view sends its first byte after the revoke has answered, in 1,000 races of the two", () =>
  raceRevokes({ home, one, other, superuser }, 1000))
