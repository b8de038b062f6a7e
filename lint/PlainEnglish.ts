/**
 * Lint rules for plain English: a stranger reads each comment and each test's name once and understands it
 * (docs/maintainer.md, "English").
 */
interface Node {
  readonly type: string
  readonly value?: unknown
  readonly quasis?: ReadonlyArray<{ readonly value: { readonly cooked: string } }>
  readonly name?: string
  readonly object?: Node
  readonly callee?: Node
  readonly arguments?: ReadonlyArray<Node>
}

interface Comment extends Node {
  readonly value: string
  readonly loc: { readonly start: { readonly line: number; readonly column: number } }
}

interface Context {
  readonly sourceCode: { readonly getAllComments: () => ReadonlyArray<Comment>; readonly lines: ReadonlyArray<string> }
  readonly report: (finding: { readonly node: Node; readonly message: string }) => void
}

const maxWords = 25

const maxColumns = 120

/**
 * A sentence must not begin with these words, because its subject would be missing. A question may begin with its verb.
 */
const beginnings =
  /^(?:Of|None|Undefined|Whoever|Who|Whatever|What else|(?:Is|Are|Was)(?!.*\?$)|(?:Null|True|False|Empty|Nothing)(?= where\b|:))\b/

const phrases =
  /\b(?:so (?:many|long|much) (?!as\b|that\b)|whoever|whatever|what else|(?:by|for|of|to) who\b|of its own|of their own|is over\b|are over\b|was over\b|the way in\b)/i

/** Counts code and addresses as one word and parentheses as none, because they do not make a sentence hard to read. */
const shortened = (sentence: string) =>
  sentence.replace(/`[^`]*`/g, "code").replace(/\bhttps?:\S+/g, "address").replace(/\([^()]*\)/g, "")

export const sentencesOf = (text: string): ReadonlyArray<string> =>
  text.split(/(?<=[.!?:;])\s+(?=["'`(A-Z0-9])|\n\s*\n|\n\s*[-*|]\s/).map((sentence) =>
    sentence.replace(/\s+/g, " ").trim()
  )
    .filter((sentence) => sentence !== "")

export const problemOf = (sentence: string): string | undefined => {
  const beginning = beginnings.exec(sentence)?.[0]
  if (beginning !== undefined) return `A sentence begins with "${beginning}": name its subject.`
  const phrase = phrases.exec(sentence)?.[0]
  if (phrase !== undefined) return `"${phrase.trim()}": say it in plain words.`
  const words = shortened(sentence).split(" ").filter((word) => /\w/.test(word)).length
  return words > maxWords ? `A sentence of ${words} words: at most ${maxWords}.` : undefined
}

/** Returns a comment's text without its stars and the names of its tags. */
const textOf = ({ value }: Comment) =>
  value.split("\n").map((line) => line.replace(/^\s*\*+ ?/, "").replace(/^\s*@\w+(?: \w+ -)?/, "\n\n")).join("\n")

const isDirective = (text: string) => /^\s*(?:oxlint|eslint|@ts-|#(?:end)?region|dprint|v8 ignore|\/)/.test(text)

const check = (context: Context) => (node: Node, text: string) => {
  for (const sentence of sentencesOf(text)) {
    const problem = problemOf(sentence)
    if (problem !== undefined) context.report({ node, message: `${problem} «${sentence.slice(0, 60)}»` })
  }
}

const comments = {
  create: (context: Context) => ({
    Program: () => {
      const all = context.sourceCode.getAllComments()
      const report = check(context)
      let together: Array<Comment> = []
      const flush = () => {
        if (together.length > 0) report(together[0]!, together.map(textOf).join("\n"))
        together = []
      }
      for (const comment of all) {
        if (isDirective(comment.value)) continue
        comment.value.split("\n").forEach((_, index) => {
          const line = context.sourceCode.lines[comment.loc.start.line - 1 + index] ?? ""
          if (line.length > maxColumns && !/https?:\S{40}/.test(line)) {
            context.report({
              node: comment,
              message: `A comment's line of ${line.length} columns: at most ${maxColumns}.`
            })
          }
        })
        const last = together.at(-1)
        const follows = last?.type === "Line" && comment.type === "Line" &&
          comment.loc.start.line === last.loc.start.line + 1 && comment.loc.start.column === last.loc.start.column
        if (!follows) flush()
        together.push(comment)
      }
      flush()
    }
  })
}

const calls = /^(?:it|test|describe|layer)$/

/** `it`, `it.effect`, `it.effect.prop`, `test.each(…)`. */
const isTest = (node: Node | undefined): boolean =>
  node?.type === "Identifier"
    ? calls.test(node.name!)
    : node?.type === "MemberExpression"
    ? isTest(node.object)
    : node?.type === "CallExpression" && isTest(node.callee)

const names = {
  create: (context: Context) => ({
    CallExpression: (node: Node) => {
      const [name] = node.arguments ?? []
      if (name === undefined || !isTest(node.callee)) return
      if (name.type === "Literal" && typeof name.value === "string") check(context)(name, name.value)
      if (name.type === "TemplateLiteral") {
        check(context)(name, name.quasis!.map(({ value }) => value.cooked).join("x"))
      }
    }
  })
}

export default { meta: { name: "plain-english" }, rules: { comments, names } }
