/**
 * Lint rule for tests: Vitest runs the body of a skipped `describe` to collect its tests. An asynchronous body opens
 * things, and would fail on a machine without the program that it needs.
 */
interface Node {
  readonly type: string
  readonly name?: string
  readonly async?: boolean
  readonly object?: Node
  readonly property?: Node
  readonly callee?: Node
  readonly arguments?: ReadonlyArray<Node>
}

interface Context {
  readonly report: (finding: { readonly node: Node; readonly message: string }) => void
}

/** Whether this is `describe` with `skipIf` or `runIf` after it: `describe.skipIf(isMissing).each(sites)`. */
const skips = (node: Node | undefined, seen = false): boolean =>
  node?.type === "Identifier"
    ? seen && node.name === "describe"
    : node?.type === "MemberExpression"
    ? skips(node.object, seen || /^(?:skipIf|runIf)$/.test(node.property?.name ?? ""))
    : node?.type === "CallExpression" && skips(node.callee, seen)

const bodies = {
  create: (context: Context) => ({
    CallExpression: (node: Node) => {
      if (!node.arguments?.some(({ async }) => async) || !skips(node.callee)) return
      context.report({ node, message: "Vitest runs this body even if it is skipped: call describeWith." })
    }
  })
}

export default { meta: { name: "skipped" }, rules: { bodies } }
