import { globSync, readFileSync } from "node:fs"
import { parseAst } from "rolldown/parseAst"
import { root } from "../support/Imports.ts"

/** A statement as it is written: its text with what it interpolates. */
export interface Written {
  /** The file under `src/sql` and the names of what it is in: `link/SecureLinkRepository.ts open`. */
  readonly place: string
  readonly text: string
  /** What stands in its `${…}`, its own fragments included. */
  readonly values: string
  /** Whether it runs in a transaction that states an actor. */
  readonly hasActor: boolean
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [member: string]: unknown
}

const isNode = (value: unknown): value is Node => typeof (value as Partial<Node> | null)?.type === "string"

const childrenOf = (node: Node) =>
  Object.values(node).flatMap((value) => Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [])

const nameOf = ({ id, key, type }: Node) => {
  const named = type === "VariableDeclarator" ? id : type === "Property" ? key : undefined
  return isNode(named) && named.type === "Identifier" ? [`${named["name"]}`] : []
}

const begins = /^\w+(?:<[^`]*>)?`\s*\(?(?:select|insert|update|delete|with|\$\{\w+(?:\([^)]*\))?\} (?:where|and))\b/

/** Every statement of a file, and none of the fragments that statements are made of. */
const statementsOf = (file: string): ReadonlyArray<Written> => {
  const source = readFileSync(`${root}/src/sql/${file}`, "utf8")
  const found: Array<Written> = []
  const walk = (node: Node, names: ReadonlyArray<string>, hasActor: boolean) => {
    const within = [...names, ...nameOf(node)]
    const text = source.slice(node.start, node.end)
    const stated = hasActor || node.type === "CallExpression" && /^(asActor\.|ActorTransaction\.use)/.test(text) ||
      node.type === "FunctionExpression" && text.includes("yield* ActorTransaction")
    if (node.type !== "TaggedTemplateExpression") {
      return childrenOf(node).forEach((child) => walk(child, within, stated))
    }
    const isFragment = within.some((name) => new RegExp(`\\$\\{${name}\\b`).test(source))
    if (isFragment || !begins.test(text)) return
    const { expressions } = node["quasi"] as { readonly expressions: ReadonlyArray<Node> }
    const values = expressions.map(({ end, start }) => source.slice(start, end)).join(" ")
    found.push({
      place: `${file} ${within.filter((name) => name !== "make").join(".")}`,
      text,
      values,
      hasActor: stated
    })
  }
  walk(parseAst(source, { lang: "ts" }) as unknown as Node, [], false)
  return found
}

export const statements = globSync("**/*.ts", { cwd: `${root}/src/sql` }).sort().flatMap(statementsOf)
