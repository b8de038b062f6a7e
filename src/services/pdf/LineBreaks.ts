import type { Cluster } from "./Cluster.ts"

/** Words stand here without spaces between them. */
const thai = /[\p{Script=Thai}]/u

/** A line may end beside one of these. */
const ideographic = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]/u

/** Nothing that closes, repeats or lengthens begins a line, and nothing that opens ends one. */
const noStart = /^[\p{Pe}\p{Pf}\p{Po}\p{Lm}\p{M}ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ々 ]/u

const noEnd = /[\p{Ps}\p{Pi}]$/u

const segmenter = new Intl.Segmenter("th", { granularity: "word" })

/** What stands for a character that no font shows stays whole. */
const codePoint = /\[U\+[0-9A-F]{4,6}\]/g

/**
 * Marks where a paragraph's lines may end beside its spaces: between Han characters and kana, between Thai words, and around
 * code points.
 */
export const breaksOf = (text: string, clusters: ReadonlyArray<Cluster>): ReadonlyArray<Cluster> => {
  const ends = new Set([...text.matchAll(codePoint)].flatMap(({ 0: code, index }) => [index, index + code.length]))
  if (!thai.test(text) && !ideographic.test(text) && ends.size === 0) return clusters
  const words = new Set(thai.test(text) ? Array.from(segmenter.segment(text), ({ index }) => index) : [])
  let end = 0
  return clusters.map((cluster, index) => {
    end += cluster.text.length
    const next = clusters[index + 1]
    if (cluster.isBreak || next === undefined) return cluster
    const isBreak = ends.has(end) || (!noStart.test(next.text) && !noEnd.test(cluster.text) &&
      [cluster.text, next.text].some((text) => ideographic.test(text) || (words.has(end) && thai.test(text))))
    return isBreak ? { ...cluster, isBreak } : cluster
  })
}

/**
 * Breaks clusters into lines no wider than `width`, where a line may end if it can. A space at which it was broken stays at
 * the end of the line, for whatever reads it aloud or copies it parts words there only (ISO 32000-1, 14.8.2.5). Behind a hyphen a
 * line ends only where it must: readers take it for one that parts a word, and drop it.
 */
export const linesOf = (clusters: ReadonlyArray<Cluster>, width: number): Array<ReadonlyArray<Cluster>> => {
  const lines: Array<ReadonlyArray<Cluster>> = []
  let start = 0
  let end = 0
  let behindHyphen = 0
  let length = 0
  for (let at = 0; at < clusters.length; at++) {
    const { advance, isBreak, text } = clusters[at]!
    length += advance
    while (length > width && at > start && text.trim() !== "") {
      if (end <= start) end = behindHyphen > start ? behindHyphen : withinWord(clusters, start, at)
      lines.push(clusters.slice(start, end))
      start = end
      length = 0
      for (let index = start; index <= at; index++) length += clusters[index]!.advance
    }
    if (isBreak && clusters[at - 1]?.text === "-") behindHyphen = at + 1
    else if (isBreak) end = at + 1
  }
  return [...lines, clusters.slice(start)]
}

/** A word that is too long is parted at `at`, or before a hyphen there. */
const withinWord = (clusters: ReadonlyArray<Cluster>, start: number, at: number) =>
  clusters[at - 1]!.text === "-" && at - 1 > start ? at - 1 : at
