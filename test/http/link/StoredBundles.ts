import { Stream } from "effect"
import { randomBytes } from "node:crypto"
import { access } from "node:fs/promises"
import { join } from "node:path"
import type pg from "pg"
import type { Service } from "../../support/Service.ts"
import { readNamed, replaceNamed } from "../document/Copies.ts"

/** Helpers for the files of SMART Health Links in the store. */

type Home = Pick<Service, "directory">

export const fileNameOf = async (superuser: pg.Client, id: string): Promise<string> =>
  (await superuser.query("select shl_storage_key as name from secure_links where id = $1", [id])).rows[0].name

export const hasFile = ({ directory }: Home, name: string) =>
  access(join(directory, ".data/uploads/files", name)).then(() => true, () => false)

const bundleOf = (id: string) => ({ table: "secure_links", prefix: "shl_", id }) as const

/** What the service itself can read of a link's bundle. */
export const storedJwe = async (home: Home, superuser: pg.Client, id: string) =>
  (await readNamed(home, superuser, bundleOf(id))).toString()

/** Replaces the file of a link by random text. */
export const storeBundle = async (home: Home, superuser: pg.Client, id: string, size: number) => {
  const text = randomBytes(size * 3 / 4).toString("base64url")
  await replaceNamed(home, superuser, bundleOf(id), Stream.make(Buffer.from(text)))
  return text
}
