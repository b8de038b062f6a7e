import { fullStop } from "../../../shared/language/FullStop.ts"
import type { SharingWords } from "./English.ts"

const counted = (count: number, one: string, many = `${one}s`) => `${count} ${count === 1 ? one : many}`

/** The words of the sharing list in Spanish, as it is spoken in the United States. */
export const spanish: SharingWords = {
  title: "Quién tiene mi expediente ahora",
  nobody: "Nadie puede ver su expediente.",
  count: (count) =>
    count === 1
      ? "1 puede verlo. Usted puede dejar de compartirlo aquí."
      : `${count} pueden verlo. Usted puede dejar de compartir con cada uno aquí.`,
  shareNew: "Compartir con alguien más",
  signRelease: "Firmar una autorización",
  stopEverything: "Dejar de compartir todo",
  stillTrying: "Seguimos intentando detener esto.",
  daysLeft: (count) => count === 1 ? "Queda 1 día" : `Quedan ${count} días`,
  endsToday: "Termina hoy",
  linkFor: (name) => `Enlace para ${name}`,
  places: {
    provider: "en nuestro portal",
    app: "una aplicación que usted dejó entrar",
    link: "una autorización firmada",
    release: "una autorización firmada"
  },
  protectedNames: {
    drug_abuse: "consumo de drogas",
    alcohol_abuse: "consumo de alcohol",
    hiv: "VIH",
    sickle_cell: "anemia falciforme"
  },
  everything: "Todo",
  nothing: "Nada",
  myOwnWords: "mis propias palabras",
  myDocuments: "mis documentos",
  and: (parts, last) => `${parts} y ${last}`,
  items: (count) => ` (${counted(count, "elemento")})`,
  card: {
    canRead: "Puede leer",
    protectedParts: "Partes protegidas",
    none: "Ninguna",
    until: "Hasta",
    lastLooked: "Última vez que miró",
    notYet: "Todavía no",
    stop: {
      provider: "Dejar de compartir",
      app: "Dejar de compartir",
      link: "Desactivar el enlace",
      release: "Terminar la autorización"
    },
    change: "Cambiar o prolongar",
    changeRelease: "Cambiar",
    makeLink: "Crear un enlace",
    showRelease: "Ver la autorización"
  },
  track: {
    name: "Qué pasó con el enlace",
    steps: { mailed: "Enviado", opened: "Abierto", codeSent: "Código enviado", read: "Leído" },
    notYet: " (todavía no)",
    reached: {
      mailed: (name, time) => `El enlace para ${name} se envió por correo: ${fullStop(time)}`,
      opened: (name, time) => `El enlace para ${name} se abrió: ${fullStop(time)}`,
      codeSent: (name, time) => `Se envió un código para el enlace para ${name}: ${fullStop(time)}`,
      read: (name, time) => `${name} vio su autorización: ${fullStop(time)}`
    },
    again: "Puede abrirlo otra vez hasta que termine. Cada vez necesita un código nuevo."
  },
  via: {
    page: "Se leyó en nuestra página.",
    app: "Se leyó en una aplicación de salud.",
    both: "Se leyó en nuestra página, y después en una aplicación de salud.",
    claimed: (name) => `El lector dijo que es «${name}». Nadie lo ha comprobado.`
  },
  release: {
    title: (name) => `Autorización para ${name}`,
    back: "Volver a la lista",
    loading: "Abriendo la autorización",
    save: "Guardar el PDF",
    file: "autorizacion.pdf",
    copy: "Esta es su copia, tal como usted la firmó."
  },
  dialog: {
    everything: "¿Dejar de compartir todo?",
    numbers: (numbers) => `Esto detiene ${numbers}.`,
    what: "Pierden el acceso de inmediato. No podemos recuperar lo que leyeron, imprimieron o guardaron.",
    keepEverything: "Seguir compartiendo todo",
    keep: {
      provider: "Seguir compartiendo",
      app: "Seguir compartiendo",
      link: "Conservar el enlace",
      release: "Conservar la autorización"
    },
    question: {
      provider: (name) => `¿Dejar de compartir con ${name}?`,
      app: (name) => `¿Dejar de compartir con ${name}?`,
      link: (name) => `¿Desactivar el enlace para ${name}?`,
      release: (name) => `¿Terminar la autorización para ${name}?`
    }
  },
  news: {
    stopped: {
      provider: (name) => `${name} ya no puede ver su expediente.`,
      app: (name) => `${name} ya no puede ver su expediente.`,
      link: (name) => `El enlace para ${name} ya no sirve.`,
      release: (name) => `La autorización para ${name} terminó. Sus enlaces ya no sirven.`
    },
    stillAnother: (name) => `Este acceso de ${name} terminó. Todavía tiene otro.`,
    doubt: "No pudimos conectar con el servicio. Puede que lo que comparte no haya cambiado.",
    asking: "Seguimos preguntando. Quédese en esta página hasta que diga que se detuvo."
  },
  ended: {
    count: (count) => count === 1 ? "1 que terminó" : `${count} que terminaron`,
    more: (count) => `Más de ${count} que terminaron`,
    showMore: "Mostrar más",
    from: (reads, day) => `${reads}. Desde: ${day}.`,
    why: {
      revoked: "Detenido",
      superseded: "Cambiado por uno más nuevo",
      wrong_codes: "Desactivado por códigos incorrectos",
      disabled: "Desactivado por Veteran Records",
      expired: "Terminó"
    },
    on: (day) => `Terminó: ${day}`
  },
  numbers: ({ app, link, provider, release }) =>
    [
      [provider, counted(provider, "proveedor", "proveedores")] as const,
      [app, counted(app, "aplicación", "aplicaciones")] as const,
      [link, counted(link, "enlace")] as const,
      [release, counted(release, "autorización", "autorizaciones")] as const
    ].filter(([count]) => count > 0).map(([, words]) => words).join(", ")
}
