import { fullStop } from "../../../shared/language/FullStop.ts"
import type { HomeWords } from "./English.ts"

const counted = (count: number, one: string, many = `${one}s`) =>
  `${count.toLocaleString("es-US")} ${count === 1 ? one : many}`

const ends = (shares: number) =>
  shares === 1 ? "1 permiso termina" : `${shares.toLocaleString("es-US")} permisos terminan`

export const spanish: HomeWords = {
  hello: (name) => `Hola, ${name}`,
  record: {
    title: "Su expediente",
    none: "Todavía no hay expediente",
    get: "Traer mi expediente del VA",
    notComplete: (count) => count === 1 ? "1 tipo incompleto" : `${counted(count, "tipo")} incompletos`,
    upToDate: "Al día",
    lastUpdated: (day) => `Última actualización: ${day}`,
    updated: (moment) => `Actualizado: ${fullStop(moment)}`,
    complete: "Todos los tipos están completos.",
    manyMissing: (count) => `No se pudo cargar todo de ${counted(count, "tipo")} de datos.`,
    missing: (kinds) => `No se pudo cargar todo: ${kinds}.`,
    update: "Actualizar ahora",
    seeMissing: "Ver lo que falta"
  },
  holders: {
    title: "Quién tiene mi expediente ahora",
    all: "Ver todos y dejar de compartir",
    share: "Compartir mi expediente",
    nobody: "Nadie puede ver su expediente.",
    more: (count) => `Y ${count.toLocaleString("es-US")} más.`,
    app: ", una aplicación",
    release: "puede abrir una autorización firmada",
    link: {
      read: "leído",
      codeSent: "abierto, código enviado, todavía no leído",
      opened: "abierto, todavía no leído",
      mailed: "enviado, todavía no abierto",
      made: "todavía no abierto"
    },
    allButProtected: "lee todo menos las partes protegidas",
    allWith: (parts) => `lee todo, también ${parts}`,
    nothing: "no lee nada del VA",
    manyKinds: (count) => `lee ${counted(count, "tipo")} de datos`,
    kinds: (kinds) => `lee ${kinds}`
  },
  looks: {
    title: "Última mirada",
    none: "Nadie ha mirado.",
    noneLately: "Nadie ha mirado últimamente.",
    see: "Ver quién miró",
    someone: "Alguien",
    opened: "Alguien abrió el enlace",
    openedFor: (name) => `Alguien abrió el enlace para ${name}`,
    wrongCode: "Alguien escribió un código incorrecto",
    wrongCodeFor: (name) => `Alguien escribió un código incorrecto en el enlace para ${name}`,
    read: (name) => `${name} leyó una autorización firmada`,
    document: (name) => `${name} abrió un documento`,
    looked: (name) => `${name} miró su expediente`
  },
  documents: {
    title: "Documentos y autorizaciones",
    see: "Mis documentos",
    sign: "Firmar una autorización"
  },
  news: {
    guessed: (name) => `Un código se escribió mal 15 veces: el enlace está desactivado (${name})`,
    looks: (day, count) => `Nuevo desde el ${day}: ${counted(count, "mirada")}`,
    manyLooks: (day, count) => `Nuevo desde el ${day}: ${counted(count, "mirada")} o más`,
    today: (shares) => `${ends(shares)} hoy`,
    in: (shares, days) => `${ends(shares)} en ${counted(days, "día")}`,
    within: (shares, days) => `${ends(shares)} dentro de ${counted(days, "día")}`
  }
}
