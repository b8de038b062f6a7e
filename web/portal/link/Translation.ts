import { openWorker } from "../../shared/TrustedTypes.ts"

/** The two files of a release that a translation needs. */
export interface ReleaseFiles {
  readonly bundle: Uint8Array<ArrayBuffer>
  readonly authorization: Uint8Array<ArrayBuffer>
}

/** How long the largest release may take on a slow device, in milliseconds. */
const patience = 180_000

/** Translates a release to C-CDA in a thread. Fails if that takes too long or the record cannot be translated. */
export const translate = (address: string, files: ReleaseFiles) =>
  new Promise<Blob>((resolve, reject) => {
    const worker = openWorker(address)
    const late = setTimeout(() => end(null), patience)
    const end = (answer: unknown) => {
      clearTimeout(late)
      worker.terminate()
      if (answer instanceof Blob) resolve(answer)
      else reject(new Error("There is no translation."))
    }
    worker.addEventListener("message", ({ data }) => end(data))
    worker.addEventListener("error", () => end(null))
    worker.postMessage(files, [files.bundle.buffer, files.authorization.buffer])
  })
