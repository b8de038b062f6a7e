import { existsSync, globSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { assert, describe, test } from "vitest"
import { problemOf, sentencesOf } from "../lint/PlainEnglish.ts"
import { blocksOf, pages, proseOf, root, textOf } from "./docs/Pages.ts"
import { importsOf } from "./support/Imports.ts"

/** The tests of these two pages send every `http` block to a service, so those blocks need no mark. */
const pagesOfExamples = ["docs/client-author.md", "docs/app-author.md"]

const blocks = pages.flatMap(blocksOf).filter(({ language, page }) =>
  language !== "http" || !pagesOfExamples.includes(page)
)

const files = globSync(["*", ".ci/*", "{bench,docs,lint,migrations,src,test,web}/**/*"], {
  cwd: root,
  exclude: (name) => name === "node_modules" || name === "dist"
})

/** GitHub makes an anchor of a heading by this rule. */
const anchorOf = (heading: string) => heading.toLowerCase().replaceAll(/[^\p{L}\p{N} _-]/gu, "").replaceAll(" ", "-")

const headingsOf = (page: string) => [...textOf(page).matchAll(/^#+ (.*)$/gm)].map(([, heading]) => heading!)

describe("Each command block of the documents", () => {
  test.each(blocks)("$page:$line is run by a test, or says in a comment why it is not", ({ mark, text }) => {
    const [, reason, program] = /^(?:not run: (.{10,})|run by (test\/\S+\.test\.ts))$/.exec(mark ?? "") ?? []
    assert.isTrue(reason !== undefined || program !== undefined, `mark the block:\n${text}`)
    if (program !== undefined) assert.isTrue(existsSync(join(root, program)), program)
  })

  test("names a test only if that test reads the block's page", () => {
    for (const { mark, page } of blocks) {
      const program = /^run by (test\/\S+)/.exec(mark ?? "")?.[1]
      if (program === undefined || program === "test/docs-commands.long.test.ts") continue
      const texts = [program, ...globSync(join(dirname(program), "*.ts"), { cwd: root })].map((file) =>
        readFileSync(join(root, file), "utf8")
      )
      assert.isTrue(texts.some((text) => text.includes(page)), `${program} reads ${page}`)
    }
  })
})

describe.each(pages)("%s", (page) => {
  test("has no link that leads nowhere", () => {
    const links = [...proseOfLinks(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target!)
    for (const target of links.filter((target) => !/^https?:/.test(target))) {
      const [path = "", anchor] = target.split("#")
      const file = path === "" ? page : join(dirname(page), path)
      assert.isTrue(existsSync(join(root, file)), target)
      if (anchor !== undefined) assert.include(headingsOf(file).map(anchorOf), anchor, target)
    }
  })

  test("names only sections that exist", () => {
    const prose = proseOf(page).replaceAll(/\s+/g, " ")
    const named = prose.matchAll(page === "docs/operator.md" ? /(?:see |\()"([A-Z][^"]+)"/g : /see "([A-Z][^"]+)"/g)
    const all = pages.flatMap(headingsOf)
    for (const [, section] of named) assert.include(all, section)
  })

  test("names only files that exist", () => {
    const named = [...proseOf(page).matchAll(/`([\w./-]+\/)?([\w.-]+\.(?:ts|tsx|sql|tsv|css))`/g)]
    for (const [, folder = "", name] of named) {
      const path = join("/", folder, name!).slice(1)
      assert.isTrue(files.some((file) => `/${file}`.endsWith(`/${path}`)) || isExample(path), path)
    }
  })

  test("names only scripts of package.json, with flags that they have", () => {
    const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
    for (const [, name, rest = ""] of textOf(page).matchAll(/npm run (?:-s |--silent )?([\w:-]+)([^`\n]*)/g)) {
      assert.property(scripts, name!)
      const program = /^node (src\/\S+\.ts)/.exec(scripts[name!])?.[1]
      if (program === undefined) continue
      // A program may have its command in another file, and many commands in a folder.
      const folder = files.filter((file) => file.startsWith(`src/client/${name}/`))
      const parts = [...folder, ...importsOf(program).own]
      const source = [program, ...parts].map((file) => readFileSync(join(root, file), "utf8")).join("\n")
      for (const [, flag] of rest.matchAll(/ --([a-z-]+)/g)) {
        assert.isTrue(flag === "help" || source.includes(`"${flag}"`), `${name} --${flag}`)
      }
    }
  })

  test("is written in plain English", () => {
    assert.deepStrictEqual(paragraphsOf(page).flatMap(sentencesOf).flatMap((sentence) => problemOf(sentence) ?? []), [])
  })
})

const isExample = (path: string) =>
  /^(?:\d+_[ab]|migrations\/NNN_noun|domain\/Noun|sql\/.*\/NounRepository)\./.test(path)

/** Returns a page without its code, because text in code is never a link. */
const proseOfLinks = (page: string) => textOf(page).replaceAll(/^```.*?^```$/gms, "").replaceAll(/`[^`]*`/g, "")

/** Splits a page into paragraphs, list items, headings and table cells. */
const paragraphsOf = (page: string) =>
  proseOf(page).replaceAll("**", "").split("\n").map((line) =>
    line.startsWith("|")
      ? line.split(/(?<!\\)\|/).filter((cell) => !/^[-: ]*$/.test(cell)).map((cell) => `\n\n${cell.trim()}`).join("")
      : line.replace(/^\s*(?:[-*]|\d+\.) |^#+ /, "\n\n") + (line.startsWith("#") ? "\n" : "")
  ).join("\n").split(/\n\s*\n/)
