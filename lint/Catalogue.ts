/**
 * Lint rules for pages that speak several languages: what a reader sees stands in a catalogue (`words/English.ts`), so
 * that the compiler misses it in the others (docs/maintainer.md, "English").
 */
interface Node {
  readonly type: string
  readonly value?: unknown
  readonly name?: unknown
  readonly parent?: Node
  readonly expression?: Node
  readonly expressions?: ReadonlyArray<Node>
  readonly elements?: ReadonlyArray<Node | null>
  readonly consequent?: Node
  readonly alternate?: Node
  readonly callee?: Node
  readonly property?: Node
  readonly operator?: string
  readonly left?: Node
  readonly right?: Node
  readonly quasis?: ReadonlyArray<{ readonly value: { readonly cooked: string } }>
}

interface Context {
  readonly report: (finding: { readonly node: Node; readonly message: string }) => void
}

/** Names are the same in every language. */
const names = /\b(?:Veteran Records|FHIR|JPEG|NPI|PDF|PNG|QR|XML|English|Español|Language, idioma)\b|&\w+;/g

export const hasWords = (text: string): boolean => /\p{L}{2}/u.test(text.replace(names, ""))

/** A sentence in a program, and not a name, a path or a class: `Not in the log yet`. */
export const isSentence = (text: string): boolean => /^[A-Z][a-z’']* [a-z’']+\b(?!\s*[:{=])/.test(text)

const textOf = (node: Node): string | undefined =>
  node.type === "TemplateLiteral"
    ? node.quasis!.map(({ value }) => value.cooked).join(" ")
    : node.type === "Literal" && typeof node.value === "string"
    ? node.value
    : undefined

/** The texts that an expression may become. */
const textsIn = (node: Node | null | undefined): ReadonlyArray<Node> => {
  switch (node?.type) {
    case "Literal":
    case "TemplateLiteral":
      return [node, ...(node.expressions ?? []).flatMap(textsIn)]
    case "ConditionalExpression":
      return [node.consequent, node.alternate].flatMap(textsIn)
    case "BinaryExpression":
      return node.operator === "+" ? [node.left, node.right].flatMap(textsIn) : []
    case "LogicalExpression":
      return [node.left, node.right].flatMap(textsIn)
    case "ArrayExpression":
      return node.elements!.flatMap(textsIn)
    case "JSXExpressionContainer":
    case "ParenthesizedExpression":
    case "TSAsExpression":
    case "TSNonNullExpression":
      return textsIn(node.expression)
    default:
      return []
  }
}

/** Attributes that a reader sees or hears: those of HTML, and those of our own parts. */
const spoken = new Set(["aria-label", "aria-description", "alt", "error", "heading", "hint", "label", "placeholder",
  "summary", "title"])

const message = "A reader sees these words: they belong in a catalogue (words/English.ts), in each language."

const shown = {
  create: (context: Context) => {
    const check = (node: Node | null | undefined) => {
      for (const one of textsIn(node)) if (hasWords(textOf(one) ?? "")) context.report({ node: one, message })
    }
    return {
      JSXText: (node: Node) => {
        if (hasWords(`${node.value as string}`)) context.report({ node, message })
      },
      JSXAttribute: (node: Node) => {
        if (spoken.has(`${(node.name as Node).name as string}`)) check(node.value as Node | null)
      },
      JSXExpressionContainer: (node: Node) => {
        if (node.parent?.type !== "JSXAttribute") check(node.expression)
      }
    }
  }
}

/** An exception is read by developers, and a text that is compared is not shown. */
const isUnseen = ({ parent }: Node) =>
  parent?.type === "NewExpression" || (parent?.type === "BinaryExpression" && parent.operator !== "+") ||
  (parent?.type === "CallExpression" && parent.callee?.property?.name === "includes")

const sentences = {
  create: (context: Context) => {
    const check = (node: Node) => {
      if (!isUnseen(node) && isSentence(textOf(node) ?? "")) context.report({ node, message })
    }
    return { Literal: check, TemplateLiteral: check }
  }
}

export default { meta: { name: "catalogue" }, rules: { shown, sentences } }
