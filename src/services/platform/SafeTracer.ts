import { Exit, Option, Tracer } from "effect"
import { describeCause } from "./Defects.ts"

/** Attributes that never contain a request's data: templates, codes, statements without their parameters. */
const safe = new Set([
  "db.client.connection.wait_time_ms",
  "db.query.text",
  "db.system.name",
  "http.request.method",
  "http.response.status_code",
  "http.route"
])

const maxTextLength = 2000

/**
 * A collector gets neither paths with values, nor addresses, nor error messages, because these may quote what was sent
 * or stored. A client's trace id is ignored: clients must not decide what is traced, or under which id. `share` is the
 * fraction of requests and of background tasks that is traced, from 0 to 1.
 */
export const safeTracer = (tracer: Tracer.Tracer, share: number) =>
  Tracer.make({
    span: (options) => {
      const parent = Option.filter(options.parent, ({ _tag }) => _tag === "Span")
      const begins = options.kind === "server" || !options.name.startsWith("sql.")
      const sampled = Option.match(parent, {
        onNone: () => begins && Math.random() < share,
        onSome: (span) => span.sampled
      })
      const span = tracer.span({ ...options, parent, sampled })
      const { attribute, end } = span
      return Object.assign(span, {
        attribute: (key: string, value: unknown) => {
          if (safe.has(key)) {
            attribute.call(span, key, typeof value === "string" ? value.slice(0, maxTextLength) : value)
          }
        },
        event: () => {},
        end: (time: bigint, exit: Exit.Exit<unknown, unknown>) => {
          // The route is known only after routing, long after the span began.
          const route = span.attributes.get("http.route")
          if (span.kind === "server") Object.assign(span, { name: `${options.name} ${route ?? "unmatched"}` })
          end.call(span, time, withoutWords(exit))
        }
      })
    }
  })

class Failure extends Error {
  override readonly stack = ""
}

const withoutWords = (exit: Exit.Exit<unknown, unknown>): Exit.Exit<unknown, unknown> => {
  if (Exit.isSuccess(exit)) return Exit.void
  const { defect, reason, sqlState } = describeCause(exit.cause)
  if (defect === undefined) return exit
  return Exit.fail(Object.assign(new Failure([defect, reason, sqlState].filter(Boolean).join(" ")), { name: defect }))
}
