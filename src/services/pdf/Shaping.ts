import { levelsOf } from "./Bidi.ts"
import type { Cluster } from "./Cluster.ts"
import { coverage, covered } from "./Coverage.ts"
import { breaksOf } from "./LineBreaks.ts"
import { type PlacedGlyph, type Typeface, typeface, type Weight } from "./Typeface.ts"

/**
 * Shapes one paragraph of NFC text into clusters, in reading order. A character that no font has is written as its code
 * point. Latin, Greek or Cyrillic letters without combining marks are shaped one by one, without ligatures and kerning.
 */
export const shape = (text: string, weight: Weight): ReadonlyArray<Cluster> => {
  const clusters: Array<Cluster> = []
  for (const character of text) {
    const cluster = plain[weight].get(character) ?? makePlain(character, weight)
    if (cluster === undefined) return shapeParagraph(text, weight)
    clusters.push(cluster)
  }
  return clusters
}

/** Clusters of characters whose shape does not depend on their neighbours. Most text is shaped by looking them up. */
const plain = { regular: new Map<string, Cluster>(), bold: new Map<string, Cluster>() }

const isPlain = /^[[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}]--[\p{M}\p{C}\p{Z}]]$|^ $/v

const makePlain = (character: string, weight: Weight): Cluster | undefined => {
  const face = typeface("sans", weight)
  if (!isPlain.test(character) || coverage(weight, "chinese")(character) !== face) return undefined
  const [cluster] = shapeUnit(character, { face, level: 0, paragraphLevel: 0 })
  plain[weight].set(character, cluster!)
  return cluster
}

/** A stretch of text in one typeface and direction. */
interface Run {
  readonly face: Typeface
  readonly level: number
  readonly paragraphLevel: number
}

const shapeParagraph = (written: string, weight: Weight): ReadonlyArray<Cluster> => {
  const { faces, text } = covered(written, weight)
  const { levels, paragraph } = levelsOf(text)
  const clusters: Array<Cluster> = []
  for (let from = 0, to = 0; from < text.length; from = to) {
    while (to < text.length && faces[to] === faces[from] && levels[to] === levels[from]) to++
    const run = { face: faces[from]!, level: levels[from]!, paragraphLevel: paragraph }
    for (const cluster of shapeRun(text.slice(from, to), run)) clusters.push(cluster)
  }
  return breaksOf(text, clusters)
}

/**
 * A unit is shaped in one call. It is a word in scripts whose letters change beside other letters, otherwise a
 * character. Only a few marks are stacked on a letter, because a higher stack would overlap other lines. Further marks
 * follow side by side.
 */
const units =
  /(?:[[\p{scx=Arabic}\p{scx=Hebrew}\p{scx=Devanagari}\p{scx=Thai}\u200c\u200d]--\p{M}]\p{M}{0,4})+|\P{M}\p{M}{0,2}|\p{M}{1,2}/gv

const shapeRun = (text: string, run: Run): ReadonlyArray<Cluster> => {
  const cached = shapedIn(run)
  return (text.match(units) ?? []).flatMap((unit) => {
    const found = cached.get(unit)
    if (found !== undefined) return found
    const clusters = shapeUnit(unit, run)
    if (unit.length <= kept.length && room > 0) {
      cached.set(unit, clusters)
      room -= 1
    }
    return clusters
  })
}

/** Limits of the cache of shaped units: their number, and the length of each in UTF-16 code units. */
const kept = { units: 20_000, length: 24 }

let room = kept.units

const shaped = new Map<string, Map<string, ReadonlyArray<Cluster>>>()

const shapedIn = ({ face, level, paragraphLevel }: Run) => {
  if (room === 0) {
    shaped.clear()
    room = kept.units
  }
  const key = `${face.name} ${level} ${paragraphLevel}`
  const cached = shaped.get(key) ?? new Map<string, ReadonlyArray<Cluster>>()
  shaped.set(key, cached)
  return cached
}

/** The character that carries marks without a letter (Unicode 17.0, 2.11). */
const dottedCircle = "\u25cc"

const shapeUnit = (unit: string, run: Run): ReadonlyArray<Cluster> => {
  const { face, level } = run
  // A single character is not shaped, because HarfBuzz may decompose it although the font has its glyph.
  if (level % 2 === 0 && alone.test(unit)) return [clusterOf(unit, [placed(face, face.glyph(unit)!)], run)]
  const isBare = /^\p{M}/u.test(unit) && face.has(dottedCircle)
  const text = isBare ? dottedCircle + unit : unit
  const groups = [...Map.groupBy(face.shape(text, level % 2 === 1), ({ cluster }) => cluster)]
    .toSorted(([one], [other]) => one - other)
  return groups.map(([start, glyphs], index) => {
    const written = text.slice(start, groups[index + 1]?.[0])
    return clusterOf(isBare && index === 0 ? written.slice(dottedCircle.length) : written, glyphs, run)
  })
}

/** A character whose glyph does not depend on its neighbours. */
const alone = /^[^\p{M}\p{scx=Arabic}\p{scx=Hebrew}\p{scx=Devanagari}\p{scx=Thai}\u200c\u200d]$/u

const placed = (face: Typeface, id: number): PlacedGlyph => ({ id, cluster: 0, advance: face.advance(id), x: 0, y: 0 })

const clusterOf = (text: string, placed: ReadonlyArray<PlacedGlyph>, run: Run): Cluster => {
  let advance = 0
  const glyphs = placed.map((glyph) => {
    const x = advance + glyph.x
    advance += glyph.advance
    return { id: glyph.id, code: hex(glyph.id), width: run.face.advance(glyph.id), x, y: glyph.y }
  })
  const { face: typeface, level, paragraphLevel } = run
  return { text, typeface, glyphs, advance, level, paragraphLevel, isBreak: text === " " }
}

export const hex = (glyph: number) => glyph.toString(16).padStart(4, "0")
