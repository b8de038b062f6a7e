/** What a PDF reader needs of a TrueType font (ISO 32000-1, 9.9); the rest of them are made anew. */
const copiedTables = ["cvt ", "fpgm", "prep"]

/** Of a component of a composite glyph (OpenType, "glyf"). */
const wordArguments = 0x1
const moreComponents = 0x20
const bytesOfScale = [[0x8, 2], [0x40, 4], [0x80, 8]] as const

/**
 * A TrueType font with some glyphs of another, in the order given, and behind them the components that those are made of.
 * fontkit's own subsets are not used: they lose the glyphs behind one of odd length (version 1.1.1 pads none).
 */
export const subsetTrueType = (font: Buffer, glyphs: ReadonlyArray<number>): Buffer => {
  const tables = tablesOf(font)
  const table = (tag: string) => tables.get(tag)!
  const numbers = new Map(glyphs.map((glyph, number) => [glyph, number]))
  const include = (glyph: number) => {
    const known = numbers.get(glyph) ?? numbers.size
    numbers.set(glyph, known)
    return known
  }

  const longOffsets = table("head").readInt16BE(50) === 1
  const offsetOf = (glyph: number) =>
    longOffsets ? table("loca").readUInt32BE(4 * glyph) : 2 * table("loca").readUInt16BE(2 * glyph)
  const outlines: Array<Buffer> = []
  const offsets = [0]
  // The map grows by components while it is walked.
  for (const glyph of numbers.keys()) {
    const outline = padded(table("glyf").subarray(offsetOf(glyph), offsetOf(glyph + 1)))
    renumberComponents(outline, include)
    outlines.push(outline)
    offsets.push(offsets.at(-1)! + outline.length)
  }

  const metricsCount = table("hhea").readUInt16BE(34)
  const metrics = Buffer.alloc(4 * numbers.size)
  for (const [glyph, number] of numbers) {
    const hmtx = table("hmtx")
    const own = glyph < metricsCount
    hmtx.copy(metrics, 4 * number, own ? 4 * glyph : 4 * (metricsCount - 1))
    if (!own) hmtx.copy(metrics, 4 * number + 2, 4 * metricsCount + 2 * (glyph - metricsCount))
  }

  return fontOf([
    ...copiedTables.flatMap((tag) => tables.has(tag) ? [[tag, table(tag)] as const] : []),
    ["glyf", Buffer.concat(outlines)],
    [
      "head",
      changed(table("head"), (head) => {
        head.writeUInt32BE(0, 8)
        head.writeInt16BE(1, 50)
      })
    ],
    ["hhea", changed(table("hhea"), (hhea) => hhea.writeUInt16BE(numbers.size, 34))],
    ["hmtx", metrics],
    [
      "loca",
      changed(Buffer.alloc(4 * offsets.length), (loca) => offsets.forEach((at, i) => loca.writeUInt32BE(at, 4 * i)))
    ],
    ["maxp", changed(table("maxp"), (maxp) => maxp.writeUInt16BE(numbers.size, 4))]
  ])
}

/** The tables of a font file, by tag. */
const tablesOf = (font: Buffer): ReadonlyMap<string, Buffer> =>
  new Map(Array.from({ length: font.readUInt16BE(4) }, (_, index) => {
    const record = 12 + 16 * index
    const offset = font.readUInt32BE(record + 8)
    const length = font.readUInt32BE(record + 12)
    return [font.toString("latin1", record, record + 4), font.subarray(offset, offset + length)]
  }))

const renumberComponents = (outline: Buffer, include: (glyph: number) => number): void => {
  if (outline.length === 0 || outline.readInt16BE(0) >= 0) return
  let at = 10
  for (let more = true; more;) {
    const flags = outline.readUInt16BE(at)
    outline.writeUInt16BE(include(outline.readUInt16BE(at + 2)), at + 2)
    at += 4 + (flags & wordArguments ? 4 : 2)
    for (const [flag, bytes] of bytesOfScale) if (flags & flag) at += bytes
    more = (flags & moreComponents) !== 0
  }
}

const fontOf = (tables: ReadonlyArray<readonly [tag: string, content: Buffer]>): Buffer => {
  const header = Buffer.alloc(12 + 16 * tables.length)
  const power = Math.floor(Math.log2(tables.length))
  header.writeUInt32BE(0x00010000, 0)
  header.writeUInt16BE(tables.length, 4)
  header.writeUInt16BE(16 * 2 ** power, 6)
  header.writeUInt16BE(power, 8)
  header.writeUInt16BE(16 * (tables.length - 2 ** power), 10)
  let offset = header.length
  const contents = tables.map(([tag, content], index) => {
    const body = padded(content)
    const record = 12 + 16 * index
    header.write(tag, record, "latin1")
    header.writeUInt32BE(checksum(body), record + 4)
    header.writeUInt32BE(offset, record + 8)
    header.writeUInt32BE(content.length, record + 12)
    offset += body.length
    return body
  })
  return Buffer.concat([header, ...contents])
}

const checksum = (words: Buffer) => {
  let sum = 0
  for (let at = 0; at < words.length; at += 4) sum = (sum + words.readUInt32BE(at)) >>> 0
  return sum
}

/** A copy whose length is a multiple of four. */
const padded = (bytes: Buffer) => Buffer.concat([bytes], Math.ceil(bytes.length / 4) * 4)

const changed = (bytes: Buffer, change: (copy: Buffer) => void): Buffer => {
  const copy = Buffer.from(bytes)
  change(copy)
  return copy
}
