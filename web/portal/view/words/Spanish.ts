import { spanishPdfWords } from "../../../shared/pdf/SpanishPdfWords.ts"
import type { ViewWords } from "./English.ts"

/** The words of the frame in Spanish. The record's own words stay English, as the source sent them. */
export const spanish: ViewWords = {
  pdf: spanishPdfWords,
  tabs: "Maneras de leer",
  record: "Expediente",
  document: "Documento firmado",
  opening: "Abriendo el documento",
  patient: "Paciente",
  born: "Nacimiento",
  died: "Fallecimiento",
  deceased: "Persona fallecida",
  signed: "Firmado",
  until: "Se puede usar hasta",
  standsFrom: (day) => `Este es el expediente como estaba el ${day}. No tiene información más nueva.`,
  range: (from, to) => `Solo tiene datos con fecha del ${from} al ${to}.`,
  rangeFrom: (from) => `Solo tiene datos con fecha desde el ${from}.`,
  rangeTo: (to) => `Solo tiene datos con fecha hasta el ${to}.`,
  notListed:
    "Lo que no aparece aquí no está en este documento. Eso no es lo mismo que «ninguno». Pregunte al paciente.",
  attached: (documents) => documents === 1 ? "Hay 1 documento adjunto:" : `Hay ${documents} documentos adjuntos:`,
  saveAbove: (documents) => documents === 1 ? "Guárdelo arriba." : "Guárdelos arriba.",
  noRecord: "Esta página no puede leer el expediente de este documento. Lea el documento firmado.",
  asRecorded: "El expediente se muestra en inglés, como se registró."
}
