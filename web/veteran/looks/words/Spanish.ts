import { fullStop } from "../../../shared/language/FullStop.ts"
import { translated } from "../Translated.ts"
import type { LooksWords } from "./English.ts"
import { spanishSummaries } from "./SpanishSummaries.ts"

const until = (day: string | undefined) => day === undefined ? "" : ` hasta el ${day}`

export const spanish: LooksWords = {
  title: "Quién miró",
  only: "Solo",
  oneShare: "un permiso",
  all: "Mostrar todo",
  everything: "Mostrar todo lo que pasó",
  everythingHint: "También lo que usted hizo y las actualizaciones.",
  none: "Nadie ha mirado.",
  noneSince: (day) => `Nadie ha mirado desde el ${day}.`,
  stopping: "Seguimos intentando detener esto.",
  more: "Mostrar más",
  today: "Hoy",
  newSince: (day) => `Nuevo desde el ${day}`,
  before: "Antes de eso",
  isNew: "Nuevo",
  allowed: {
    provider: (day) => `Permitido por usted al compartir${until(day)}`,
    app: (day) => `Permitido por usted al compartir${until(day)}`,
    link: (day) => `Permitido por su enlace${until(day)}`,
    release: (day) => `Permitido por su autorización${until(day)}`
  },
  noKinds: "No incluía ningún tipo de datos de su expediente.",
  noItems: "Ninguno",
  summary: (line) => translated(line, spanishSummaries),
  proof: {
    check: "Comprobar la prueba",
    mismatch: "Esta línea no coincide con el registro. Guárdela y avise a soporte.",
    notYet: "Todavía no está en el registro: espere un minuto.",
    proved: (time) =>
      `Esta línea está en el registro que firmamos. No se cambió. Su dispositivo la comprobó a esta hora: ${
        fullStop(time)
      }`,
    unsigned:
      "Esta línea está en el registro. Este navegador no puede comprobar la firma: pruebe con uno más nuevo, o guarde la línea y compruébela en otro lugar.",
    what: "Qué se comprobó",
    line: "Línea",
    of: (number, all) => `${number} de ${all}`,
    key: "La clave del registro",
    save: "Guardar esta línea con su prueba"
  },
  file: {
    csv: "Guardar como archivo (CSV)",
    fhir: "Guardar las miradas como FHIR",
    making: "Preparando el archivo"
  }
}
