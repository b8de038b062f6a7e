import type { SealingIdentity } from "../pdf/Signer.ts"
import { layOutRelease, type ReleaseContent } from "./ReleaseDocument.ts"

/** What both renderings show. Bytes are no `Buffer` any more when they come to a thread. */
export interface Rendered extends Omit<ReleaseContent, "copy" | "json" | "sha256"> {
  readonly json: Uint8Array
  readonly sha256: Uint8Array
  /** Counts, per type, the items that the recipient does not see. */
  readonly withheld: ReadonlyMap<string, number>
  readonly identity: SealingIdentity
}

/** Lays out and seals the veteran's copy and the recipient's. It is the work of a thread (Workers.ts). */
export default async function render({ identity, json, sha256, withheld, ...content }: Rendered) {
  const sealed = (copy: ReleaseContent["copy"]): Promise<Uint8Array> =>
    layOutRelease({ ...content, json: Buffer.from(json), sha256: Buffer.from(sha256), copy }, identity)
  return { own: await sealed({ for: "veteran", withheld }), recipients: await sealed({ for: "recipient" }) }
}
