import type { Disclosure } from "../../../../src/domain/Disclosure.ts"
import { typesWords } from "../../../shared/language/Names.ts"
import type { EventWords } from "./English.ts"

/** The names of kinds within a sentence, or `none`. Only their first letters are capitals. */
const listed = (types: ReadonlyArray<string>, none: string) =>
  types.length === 0 ? none : typesWords(types).toLowerCase()

type Event = Parameters<EventWords["summary"]>[0]

/** A 0 means that an app asked for the type, but got no item. */
const readByApp = ({ resourceTypes = {} }: Event) => {
  const types = Object.keys(resourceTypes)
  const read = types.filter((type) => resourceTypes[type]! > 0)
  if (read.length > 0) return `leyó ${listed(read, "")}`
  return types.length === 0 ? "abrió su expediente y no leyó nada" : `buscó ${listed(types, "")} y no encontró nada`
}

const sentence = (event: Event, kind: Disclosure["kind"]): string => {
  const { actor, how, resourceTypes = {} } = event
  const types = Object.keys(resourceTypes)
  const byVeteran = actor.kind === "veteran"
  const provider = actor.kind === "provider" && actor.name !== undefined ? `${actor.name},` : "Un proveedor"
  const app = actor.kind === "app" && actor.name !== undefined ? `La aplicación “${actor.name}”` : "Una aplicación"
  const recipient = actor.kind === "recipient" ? actor.name : undefined
  const link = recipient === undefined ? "un enlace" : `el enlace para ${recipient}`
  switch (kind) {
    case "sync_stored":
      return `Su teléfono actualizó ${listed(types, "su expediente")}.`
    case "grant_given":
      return "Usted permitió que un proveedor lea su expediente."
    case "grant_revoked":
      return `${byVeteran ? "Usted" : "El operador"} terminó el permiso de un proveedor para leer su expediente.`
    case "record_viewed":
      return `${provider} miró ${listed(types, "su expediente")}.`
    case "record_saved":
      return `${provider} guardó una copia${types.length === 0 ? " sin datos" : ` de ${listed(types, "")}`}.`
    case "note_written":
      return `${provider} escribió una nota sobre usted.`
    case "document_stored":
      return "Usted guardó un documento."
    case "document_read":
      return `${byVeteran ? "Usted" : provider} abrió un documento.`
    case "roi_signed":
      return "Usted firmó una autorización."
    case "link_created":
      return "Usted hizo un enlace a un documento."
    case "link_opened":
      return `Alguien abrió ${link}. Todavía no se mostró nada.`
    case "link_code_sent":
      return "Se envió un código por correo al destinatario de un enlace."
    case "link_code_failed":
      return `Alguien probó un código incorrecto o vencido en ${link}.`
    case "link_viewed":
      return `${recipient ?? "El destinatario de un enlace"} vio el documento con el enlace y el código.`
    case "link_revoked":
      if (byVeteran) return "Usted desactivó un enlace."
      return how === "operator"
        ? "El operador desactivó un enlace."
        : "Un enlace se desactivó después de demasiados códigos incorrectos."
    case "oauth_access_granted":
      return "Usted permitió que una aplicación lea su expediente."
    case "oauth_access_denied":
      return "Usted no permitió que una aplicación lea su expediente."
    case "oauth_token_refreshed":
      return `${app} renovó su acceso.`
    case "oauth_access_used":
      return `${app} ${readByApp(event)}.`
    case "oauth_access_revoked":
      return byVeteran
        ? "Usted terminó el acceso de una aplicación a su expediente."
        : actor.kind === "service"
        ? "El operador terminó el acceso de una aplicación a su expediente."
        : `${app} devolvió el acceso a su expediente.`
    case "oauth_code_replayed":
    case "oauth_refresh_replayed":
      return "La clave de una aplicación se usó por segunda vez. Es posible que alguien la haya copiado, así que terminamos el acceso."
    case "session_started":
      return how === "passkey"
        ? "Usted inició sesión con su cara, su huella o una clave de acceso."
        : "Usted inició sesión con su cuenta del VA."
    case "session_ended":
      return byVeteran ? "Usted cerró una sesión." : "El servicio cerró una sesión."
    case "passkey_added":
      return "Usted añadió una clave de acceso: una cara, una huella o el bloqueo de pantalla abre su expediente."
    case "passkey_removed":
      return `${byVeteran ? "Usted" : "El operador"} quitó una clave de acceso.`
    case "identity_paired":
      return how === "operator"
        ? "El operador permitió que una cuenta del VA abra su expediente."
        : `Usted permitió que ${how === "session" ? "otra cuenta" : "su cuenta"} del VA abra su expediente.`
    case "identity_removed":
      return byVeteran
        ? "Usted quitó una cuenta del VA, y se cerraron todas las sesiones."
        : "El operador cambió qué cuenta del VA abre su expediente, y se cerraron todas las sesiones."
    case "email_changed":
      return `${byVeteran ? "Usted" : "El operador"} cambió su dirección de correo electrónico.`
    case "deletion_asked":
      return `${byVeteran ? "Usted" : "El operador"} pidió borrar su expediente, y se dejó de compartir todo.`
    case "deletion_cancelled":
      return `${byVeteran ? "Usted" : "El operador"} canceló el borrado de su expediente.`
    case "deletion_done":
      return "Su expediente se borró."
    case "export_made":
      return `${byVeteran ? "Usted" : "El operador"} hizo una copia de todos sus datos.`
  }
}

/**
 * A Spanish sentence for an event by its kind. The service's own sentence may name more, such as a document; an event's
 * data do not have these names.
 */
export const spanish: EventWords = {
  summary: (event) => sentence(event, event.kind)
}
