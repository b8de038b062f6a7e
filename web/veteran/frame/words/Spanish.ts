import type { FrameWords } from "./English.ts"

export const spanish: FrameWords = {
  main: "Principal",
  tabs: {
    home: "Inicio",
    record: "Expediente",
    sharing: "Compartir",
    looks: "Quién miró"
  },
  titles: {
    home: "Inicio",
    update: "Actualizar",
    record: "Expediente",
    complete: "Qué tan completo está",
    words: "Mis propias palabras",
    sharing: "Lo que comparte",
    share: "Compartir",
    release: "Firmar una autorización",
    link: "Enlace",
    looks: "Quién miró",
    documents: "Documentos",
    account: "Cuenta",
    confirm: "Confirmar"
  }
}
