import type { Cluster } from "./Cluster.ts"

/** Thai is written without spaces between words. */
const thai = /[\p{Script=Thai}]/u

/** Characters that a line may end before or after. */
const ideographic = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]/u

/** Closing and repeating characters, which must not begin a line. `noEnd` has those that must not end a line. */
const noStart = /^[\p{Pe}\p{Pf}\p{Po}\p{Lm}\p{M}ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ々 ]/u

const noEnd = /[\p{Ps}\p{Pi}]$/u

const segmenter = new Intl.Segmenter("th", { granularity: "word" })

/** A code point, written in place of a character that no font has. No line ends within it. */
const codePoint = /\[U\+[0-9A-F]{4,6}\]/g

/** Lets lines also end where there is no space: between Han characters, kana or Thai words, and around code points. */
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
 * Breaks clusters into lines no wider than `width`, at permitted places if possible. A space stays at the end of its
 * line, because copying and reading aloud separate words only at spaces (ISO 32000-1, 14.8.2.5). A line ends after a
 * hyphen only if it must: PDF viewers treat such a hyphen as hyphenation and drop it.
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

/** Returns where to break a word that is too long: at `at`, or one earlier if a hyphen would end the line. */
const withinWord = (clusters: ReadonlyArray<Cluster>, start: number, at: number) =>
  clusters[at - 1]!.text === "-" && at - 1 > start ? at - 1 : at
