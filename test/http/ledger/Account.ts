import { setTimeout } from "node:timers/promises"
import { call, type SignedIn } from "../../support/Client.ts"
import type { Service } from "../../support/Service.ts"

/** Helpers for the tests of the account of disclosures. */

type Target = Pick<Service, "url">

export const readAccount = (
  service: Target,
  veteran: Pick<SignedIn, "headers">,
  query = "",
  headers: Record<string, string> = {}
) => call(service, "GET", `/api/veteran/me/disclosures${query}`, { headers: { ...veteran.headers, ...headers } })

/** Returns the kinds of the events, the oldest first. */
export const kindsOf = async (service: Target, veteran: Pick<SignedIn, "headers">, query = "?limit=200") =>
  (await readAccount(service, veteran, query)).json.items.map(({ kind }: any) => kind).reverse() as ReadonlyArray<
    string
  >

/** Waits for the next minute if this one ends too soon for the next steps, which share one minute. */
export const withinOneMinute = async (stepsTake = 20) => {
  const seconds = (Date.now() / 1000) % 60
  if (seconds > 60 - stepsTake) await setTimeout((60.2 - seconds) * 1000)
}
