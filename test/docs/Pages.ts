import { globSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

export const root = fileURLToPath(new URL("../..", import.meta.url))

export const pages: ReadonlyArray<string> = ["README.md", "SECURITY.md", "docs/**/*.md", "src/**/README.md"].flatMap((
  pattern
) => globSync(pattern, { cwd: root })).sort()

export const textOf = (page: string) => readFileSync(`${root}/${page}`, "utf8")

/** A fenced block of a page. */
export interface Block {
  readonly page: string
  /** The nearest heading above the block. */
  readonly section: string
  readonly language: string
  readonly text: string
  readonly line: number
  /** The HTML comment, invisible to readers, directly above the block. */
  readonly mark: string | undefined
}

const fence = /(?:^<!-- (?<mark>[^\n]*) -->\n\n?)?^```(?<language>\w*)\n(?<text>.*?)^```$/gms

export const blocksOf = (page: string): ReadonlyArray<Block> => {
  const text = textOf(page)
  return [...text.matchAll(fence)].map(({ 0: all, groups, index }) => {
    const above = text.slice(0, index)
    return {
      page,
      section: [...above.matchAll(/^#+ (.*)$/gm)].at(-1)?.[1] ?? "",
      language: groups!["language"]!,
      text: groups!["text"]!,
      line: (above + all.slice(0, all.indexOf("```"))).split("\n").length,
      mark: groups!["mark"]
    }
  })
}

/** Returns a page without its blocks and comments. Each link is replaced by the words that a reader sees. */
export const proseOf = (page: string) =>
  textOf(page).replace(fence, "").replaceAll(/<!--.*?-->/gs, "").replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
