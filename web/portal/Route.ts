import { useSyncExternalStore } from "react"
import { onHash } from "../shared/Listen.ts"

/** The portal's routes. They stand after `#` in the address, because browsers never send that part to a server. */
export type Route =
  | { readonly screen: "patients" }
  | { readonly screen: "deskCodes" }
  | { readonly screen: "password" }
  | { readonly screen: "record"; readonly veteranId: string }
  | { readonly screen: "document"; readonly veteranId: string; readonly documentId: string }

export const routeOf = (hash: string): Route => {
  const [, screen, veteranId, part, documentId] = hash.slice(1).split("/")
  if (screen === "desk-codes") return { screen: "deskCodes" }
  if (screen === "change-password") return { screen: "password" }
  if (screen !== "patients" || veteranId === undefined) return { screen: "patients" }
  return part === "documents" && documentId !== undefined
    ? { screen: "document", veteranId, documentId }
    : { screen: "record", veteranId }
}

export const addressOf = (route: Route) => {
  switch (route.screen) {
    case "patients":
      return "#/patients"
    case "deskCodes":
      return "#/desk-codes"
    case "password":
      return "#/change-password"
    case "record":
      return `#/patients/${route.veteranId}`
    case "document":
      return `#/patients/${route.veteranId}/documents/${route.documentId}`
  }
}

export const useRoute = () => routeOf(useSyncExternalStore(onHash, () => location.hash))

/** Changes the route without a history entry that would lead back. */
export const goTo = (route: Route) => {
  history.replaceState(null, "", addressOf(route))
  dispatchEvent(new HashChangeEvent("hashchange"))
}
