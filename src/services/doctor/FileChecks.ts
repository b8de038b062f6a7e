import { Effect } from "effect"
import { randomBytes } from "node:crypto"
import * as Fs from "node:fs/promises"
import { join } from "node:path"
import { SharedConnections } from "../../sql/Connections.ts"
import * as StoredFileRepository from "../../sql/document/StoredFileRepository.ts"
import type { Bucket } from "../document/Bucket.ts"
import { errnoCode } from "../document/DiskErrors.ts"
import { checkWritable, storedNames, storeFolders } from "../document/StoreFolders.ts"
import { UploadBucket } from "../document/UploadBucket.ts"
import { checkUploadBucket, checkUploadDirectory, onDisk } from "../document/UploadDirectory.ts"
import { Settings } from "../platform/Settings.ts"
import { missingIn } from "./BucketChecks.ts"
import { check, errorIf, refusal, warningIf } from "./Finding.ts"

const usable = "UPLOAD_DIR must be a folder that the service's own user may read, write and enter (chown, chmod 700)."

const folder = Effect.gen(function*() {
  const { production, uploadDirectory } = yield* Settings
  return yield* onDisk(() => checkWritable(uploadDirectory)).pipe(
    Effect.andThen(onDisk(() => looks(uploadDirectory))),
    Effect.catch((unusable) =>
      // Outside production the service makes the folder at its first start.
      Effect.succeed(!production && unusable.code === "ENOENT" ? [] : [refusal(unusable.message, usable)])
    )
  )
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
  return [
    ...errorIf(
      refused !== undefined,
      `A file of 4 kB cannot be written to UPLOAD_DIR: ${refused}.`,
      "Uploads and signed releases are answered 507 or 503.",
      refused === "ENOSPC" || refused === "EDQUOT"
        ? "Free space or enlarge the disk. A restore may need files that have been in trash for less than 7 days."
        : "Look at the mount (mount, dmesg) and at the folder's owner."
    ),
    ...warningIf(
      refused === undefined && (free < gibibyte || bavail < blocks / 50 || (inodes > 0 && ffree < inodes / 50)),
      `The disk of UPLOAD_DIR is nearly full: ${(free / gibibyte).toFixed(1)} GiB and ${ffree} files are free.`,
      "When it is full, uploads and signed releases are answered 507.",
      "Enlarge the disk, or lower UPLOAD_LIMIT_MB for later uploads."
    ),
    ...warningIf(
      (mode & 0o077) !== 0,
      `Other users than its owner may enter UPLOAD_DIR (mode ${(mode & 0o777).toString(8)}).`,
      "The files in it are encrypted, but those users may count them, and delete them if they may write.",
      `chmod 700 on the folder that UPLOAD_DIR names.`
    ),
    ...warningIf(
      process.getuid !== undefined && process.getuid() !== 0 && process.getuid() !== uid,
      "UPLOAD_DIR belongs to another user than this one.",
      "Either the service runs as another user than the doctor, and may use other files, or the folder was made by hand.",
      `Run the doctor as the service's own user, or chown the folder to that user (${files} included).`
    )
  ]
}

/** The folder of a deployment with a bucket has scratch files, and files that are not moved yet. */
const inBucket = Effect.fnUntraced(function*(bucket: Bucket, deep: boolean) {
  const { production, uploadDirectory } = yield* Settings
  const folders = storeFolders(uploadDirectory)
  yield* checkUploadBucket(bucket, uploadDirectory, production)
  const left = (yield* onDisk(() => oldNames(folders.files, sampled))).length
  return [
    ...yield* missingIn(bucket, (key) => join(folders.files, key), deep),
    ...warningIf(
      left > 0,
      `${
        left === sampled ? "At least " : ""
      }${left} stored files are in UPLOAD_DIR, and not in the bucket of UPLOAD_URL.`,
      "The service finds them there. Other machines do not, unless they have the same folder.",
      `npm run move-files -- --from DIR --to ${bucket.name}`
    )
  ]
})

/** Number of rows and files in a sample. */
const sampled = 1000

const files = Effect.fnUntraced(
  function*(deep: boolean) {
    const { production, sweepLimitPercent, uploadDirectory } = yield* Settings
    const bucket = yield* UploadBucket
    if (bucket !== undefined) return yield* inBucket(bucket, deep)
    const { claimed, keysFrom } = StoredFileRepository.make(yield* SharedConnections)
    const folders = storeFolders(uploadDirectory)
    const { holds } = yield* checkUploadDirectory(uploadDirectory, production)
    if (holds === "nothing") return []

    let [looked, missing, trashed] = [0, 0, 0]
    const first = deep ? "" : randomBytes(16).toString("hex")
    for (let from = first;;) {
      const keys = yield* keysFrom(from, sampled)
      const away: Array<string> = []
      for (const key of keys) if (!(yield* exists(join(folders.files, key)))) away.push(key)
      // A row may have been deleted together with its file meanwhile.
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
    return [
      ...errorIf(
        missing > 0,
        `Of ${looked} stored files that were looked for, ${missing} are not in UPLOAD_DIR; ${trashed} of these lie in its trash.`,
        "Their documents and releases answer 500.",
        "The next sweep puts files in trash back, or you do it now: mv -n trash/NAME files/. Restore the others from the " +
          "backup of the files. (--deep looks for all.)"
      ),
      ...warningIf(
        orphans > 10 && orphans * 100 > seen * sweepLimitPercent,
        `Of ${seen} files older than an hour, ${orphans} have no row in this database.`,
        "The database may be older than the files, as after a restore. The sweep moves none of them, and logs that every hour.",
        `If the database is the right one and whole, start once with SWEEP_LIMIT_PERCENT=${
          Math.ceil(orphans * 100 / seen)
        }.`
      )
    ]
  },
  Effect.catchTags({
    // The check of the folder itself reports this error.
    UploadDirectoryUnusable: () => Effect.succeed([]),
    UploadBucketUnusable: () => Effect.succeed([]),
    // The check of the bucket itself reports this error.
    NotAsked: () => Effect.succeed([]),
    UploadDirectoryRefused: ({ message }) => Effect.succeed([refusal(message, "Do what the sentence says.")])
  })
)

const exists = (path: string) => Effect.promise(() => Fs.access(path).then(() => true, () => false))

const oldNames = async (folder: string, maxNames: number) => {
  const names: Array<string> = []
  const hourAgo = Date.now() - 3_600_000
  try {
    for await (const name of storedNames(folder)) {
      const stats = await Fs.lstat(join(folder, name)).catch(() => undefined)
      if (stats !== undefined && stats.mtimeMs < hourAgo) names.push(name)
      if (names.length >= maxNames) break
    }
  } catch (cause) {
    if (errnoCode(cause) !== "ENOENT") throw cause
  }
  return names
}

export const folderCheck = check("upload directory", ["UPLOAD_DIR"], folder)

export const filesCheck = (deep: boolean) =>
  check(
    "stored files",
    ["UPLOAD_DIR", "UPLOAD_URL", "DATABASE_APP_URL"],
    Effect.provide(files(deep), UploadBucket.layer)
  )
