/** An inclusion proof with the checkpoint that it leads to, as a file (C2SP tlog-proof). */
export interface TlogProof {
  readonly index: number
  /** From the leaf's sibling to the root's child, each in base64. */
  readonly hashes: ReadonlyArray<string>
  readonly checkpoint: string
}

const header = "c2sp.org/tlog-proof@v1"

/** The file does not hold the leaf, so its reader learns nothing of the event. */
export const formatTlogProof = ({ checkpoint, hashes, index }: TlogProof) =>
  [header, `index ${index}`, ...hashes, "", checkpoint].join("\n")

/** Returns undefined if the text is not a tlog-proof. */
export const parseTlogProof = (text: string): TlogProof | undefined => {
  const end = text.indexOf("\n\n")
  const [first, ...lines] = text.slice(0, Math.max(end, 0)).split("\n")
  if (lines[0]?.startsWith("extra ") === true) lines.shift()
  const [, index] = /^index (0|[1-9]\d*)$/.exec(lines[0] ?? "") ?? []
  if (first !== header || index === undefined || !Number.isSafeInteger(Number(index))) return undefined
  return { index: Number(index), hashes: lines.slice(1), checkpoint: text.slice(end + 2) }
}
