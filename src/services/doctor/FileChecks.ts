import { Effect } from "effect"
import { randomBytes } from "node:crypto"
import * as Fs from "node:fs/promises"
import { join } from "node:path"
import { SharedConnections } from "../../sql/Connections.ts"
import * as StoredFileRepository from "../../sql/document/StoredFileRepository.ts"
import { errnoCode } from "../document/DiskErrors.ts"
import { checkWritable, storedNames, storeFolders } from "../document/StoreFolders.ts"
import { markName, readMark } from "../document/StoreMark.ts"
import { Settings } from "../platform/Settings.ts"
import { check, error, warning, where } from "./Finding.ts"

const belongs = `Configure the folder and the database that belong together (docs/operator.md, "Files").`

/** Only the code of what the disk refused is told: a message names paths below UPLOAD_DIR. */
const onDisk = <A>(step: () => Promise<A>) =>
  Effect.tryPromise({ try: step, catch: (cause) => errnoCode(cause) ?? "unknown" })

const folder = Effect.gen(function*() {
  const { production, uploadDirectory } = yield* Settings
  const mend = `It must be a folder that the service's own user may read, write and enter (chown, chmod 700).`
  return yield* onDisk(async () => {
    const there = await checkWritable(uploadDirectory).then(() => true, async (cause: unknown) => {
      // Elsewhere than in production the service makes it at its first start.
      if (production || errnoCode(cause) !== "ENOENT") throw cause
      return false
    })
    return there ? await looks(uploadDirectory) : []
  }).pipe(Effect.catch((code) =>
    Effect.succeed([
      code === "ENOENT"
        ? error(
          "UPLOAD_DIR is missing.",
          "Its disk may not be mounted; the service does not start, and never makes the folder in production.",
          "Mount the disk. Only for a first start: make an empty folder for the service's own user."
        )
        : error(`UPLOAD_DIR cannot be used: ${code}.`, "Documents can be neither stored nor read.", mend)
    ])
  ))
})

const gibibyte = 1024 ** 3

const looks = async (root: string) => {
  const { files, temporary } = storeFolders(root)
  const { mode, uid } = await Fs.stat(root)
  const { bavail, blocks, bsize, ffree, files: inodes } = await Fs.statfs(root)
  const free = bavail * bsize
  const folder = await Fs.access(temporary).then(() => temporary, () => root)
  const probe = join(folder, `doctor-${randomBytes(8).toString("hex")}`)
  const refused = await Fs.writeFile(probe, randomBytes(4096), { flag: "wx", mode: 0o600, flush: true })
    .then(() => undefined, (cause: unknown) => errnoCode(cause) ?? "unknown")
    .finally(() => Fs.rm(probe, { force: true }))
  return where(
    [
      refused !== undefined,
      error(
        `A file of 4 kB cannot be written to UPLOAD_DIR: ${refused}.`,
        "Uploads and signed releases are answered 507 or 503.",
        refused === "ENOSPC" || refused === "EDQUOT"
          ? "Free space or enlarge the disk; what lies in trash for less than 7 days may be wanted back after a restore."
          : "Look at the mount (mount, dmesg) and at who owns the folder."
      )
    ],
    [
      refused === undefined && (free < gibibyte || bavail < blocks / 50 || (inodes > 0 && ffree < inodes / 50)),
      warning(
        `The disk of UPLOAD_DIR is nearly full: ${(free / gibibyte).toFixed(1)} GiB and ${ffree} files are free.`,
        "When it is full, uploads and signed releases are answered 507.",
        "Enlarge the disk, or lower UPLOAD_LIMIT_MB for what is to come."
      )
    ],
    [
      (mode & 0o077) !== 0,
      warning(
        `Others than its owner may enter UPLOAD_DIR (mode ${(mode & 0o777).toString(8)}).`,
        "The files in it are encrypted, but may be counted, and with write permission removed.",
        `chmod 700 on the folder that UPLOAD_DIR names.`
      )
    ],
    [
      process.getuid !== undefined && process.getuid() !== 0 && process.getuid() !== uid,
      warning(
        "UPLOAD_DIR belongs to another user than this one.",
        "Either the service runs as another user than the doctor, who then sees something else, or the folder was made by hand.",
        `Run the doctor as the service's own user; else chown the folder to it (${files} included).`
      )
    ]
  )
}

/** How many rows and files are looked at where not all are. */
const sampled = 1000

const files = (deep: boolean) =>
  Effect.gen(function*() {
    const { production, sweepLimitPercent, uploadDirectory } = yield* Settings
    const { claimed, keysFrom, store } = StoredFileRepository.make(yield* SharedConnections)
    const folders = storeFolders(uploadDirectory)
    // Of a folder that cannot be used, the check of the folder says so.
    if (!(yield* Effect.isSuccess(onDisk(() => checkWritable(uploadDirectory))))) return []
    const { id, used } = yield* store
    const mark = yield* onDisk(() => readMark(uploadDirectory))
    if (mark === undefined && !used) return []
    if (mark !== id) {
      return where(
        [
          mark === undefined && production,
          error(
            `UPLOAD_DIR has no file ${markName}, and this database has files.`,
            "Its disk may not be mounted, or it is another folder; the service may refuse to start.",
            `Mount the disk. ${belongs}`
          )
        ],
        [
          mark !== undefined,
          error(
            `UPLOAD_DIR is of another database: its file ${markName} does not say ${id}.`,
            "The files that rows need are elsewhere; the service does not start.",
            belongs
          )
        ]
      )
    }

    let [looked, missing, trashed] = [0, 0, 0]
    const first = deep ? "" : randomBytes(16).toString("hex")
    for (let from = first;;) {
      const keys = yield* keysFrom(from, sampled)
      const away: Array<string> = []
      for (const key of keys) if (!(yield* exists(join(folders.files, key)))) away.push(key)
      // A row may have gone together with its file meanwhile.
      const lost = yield* claimed(away)
      for (const key of lost) if (yield* exists(join(folders.trash, key))) trashed++
      looked += keys.length
      missing += lost.length
      if (!deep || keys.length < sampled) break
      from = `${keys.at(-1)!} `
    }

    let [seen, orphans] = [0, 0]
    const names = yield* onDisk(() => oldNames(folders.files, deep ? Infinity : 10 * sampled))
    for (let at = 0; at < names.length; at += sampled) {
      const some = names.slice(at, at + sampled)
      orphans += some.length - (yield* claimed(some)).length
      seen += some.length
    }
    return where(
      [
        missing > 0,
        error(
          `Of ${looked} stored files that were looked for, ${missing} are not in UPLOAD_DIR; ${trashed} of these lie in its trash.`,
          "Their documents and releases answer 500.",
          "What lies in trash is put back by the next sweep, or at once by mv -n trash/NAME files/; restore the rest from the backup of the files. " +
            "(--deep looks for all.)"
        )
      ],
      [
        orphans > 10 && orphans * 100 > seen * sweepLimitPercent,
        warning(
          `Of ${seen} files older than an hour, ${orphans} have no row in this database.`,
          "The database may be an older one than the files, as after a restore; the sweep moves none of them, and says so every hour.",
          `If the database is the right one and whole, start once with SWEEP_LIMIT_PERCENT=${
            Math.ceil(orphans * 100 / seen)
          }.`
        )
      ]
    )
  })

const exists = (path: string) => Effect.promise(() => Fs.access(path).then(() => true, () => false))

const oldNames = async (folder: string, most: number) => {
  const names: Array<string> = []
  const before = Date.now() - 3_600_000
  try {
    for await (const name of storedNames(folder)) {
      const stats = await Fs.lstat(join(folder, name)).catch(() => undefined)
      if (stats !== undefined && stats.mtimeMs < before) names.push(name)
      if (names.length >= most) break
    }
  } catch (cause) {
    if (errnoCode(cause) !== "ENOENT") throw cause
  }
  return names
}

export const folderCheck = check("upload directory", ["UPLOAD_DIR"], folder)

export const filesCheck = (deep: boolean) => check("stored files", ["UPLOAD_DIR", "DATABASE_APP_URL"], files(deep))
