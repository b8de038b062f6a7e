import { useSyncExternalStore } from "react"
import { onHash } from "../shared/Listen.ts"

/**
 * The app's routes. They stand after `#` in the address, because browsers never send that part to a server. Ids in them
 * are this service's, never a name or a kind of illness.
 */
export type Route =
  | { readonly screen: "home" | "update" | "complete" | "words" | "sharing" | "documents" | "account" | "confirm" }
  | { readonly screen: "record"; readonly kind?: string; readonly item?: string }
  /** `replaces` is a grant to the same provider that this share changes or prolongs. */
  | { readonly screen: "share"; readonly replaces?: string }
  /** `replaces` is a release that the new one ends. */
  | { readonly screen: "release"; readonly replaces?: string }
  /** The new link leads to this signed release. */
  | { readonly screen: "link"; readonly document: string }
  /** At most one of these narrows the list to one sharing. */
  | { readonly screen: "looks"; readonly by?: { readonly kind: string; readonly id: string } }

export const routeOf = (hash: string): Route => {
  const [, screen, first, second] = hash.slice(1).split("/")
  switch (screen) {
    case "update":
    case "complete":
    case "words":
    case "sharing":
    case "documents":
    case "account":
    case "confirm":
      return { screen }
    case "record":
      return first === undefined
        ? { screen }
        : first === "item" && second !== undefined
        ? { screen, item: second }
        : { screen, kind: first }
    case "share":
    case "release":
      return first === undefined ? { screen } : { screen, replaces: first }
    case "link":
      return first === undefined ? { screen: "documents" } : { screen, document: first }
    case "looks":
      return first === undefined || second === undefined ? { screen } : { screen, by: { kind: first, id: second } }
    default:
      return { screen: "home" }
  }
}

export const addressOf = (route: Route) => {
  switch (route.screen) {
    case "record":
      return route.item !== undefined
        ? `#/record/item/${route.item}`
        : route.kind === undefined
        ? "#/record"
        : `#/record/${route.kind}`
    case "share":
    case "release":
      return route.replaces === undefined ? `#/${route.screen}` : `#/${route.screen}/${route.replaces}`
    case "link":
      return `#/link/${route.document}`
    case "looks":
      return route.by === undefined ? "#/looks" : `#/looks/${route.by.kind}/${route.by.id}`
    default:
      return `#/${route.screen}`
  }
}

let held: string | undefined

/** Keeps the screen of this address, even if the address changes, until the returned function is called. */
export const holdRoute = (address: string) => {
  held = address
  return () => {
    held = undefined
  }
}

export const useRoute = () => routeOf(useSyncExternalStore(onHash, () => held ?? location.hash))

/** Changes the route, with a history entry that leads back. */
export const goTo = (route: Route) => {
  location.hash = addressOf(route)
}
