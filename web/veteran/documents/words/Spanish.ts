import { spanishPdfWords } from "../../../shared/pdf/SpanishPdfWords.ts"
import type { DocumentsWords } from "./English.ts"

export const spanish: DocumentsWords = {
  title: "Mis documentos",
  sharing: "Solo pueden leerlos las personas con quienes usted comparte también sus documentos.",
  add: {
    title: "Agregar una foto o un archivo",
    hint: "Foto o archivo (PDF, JPEG, PNG, 25 MB)",
    choose: "Elegir una foto o un archivo",
    camera: "Tomar una foto",
    reading: "Preparándolo",
    one: "Elija un solo archivo a la vez.",
    refusals: {
      empty: "Este archivo está vacío. Elija otro.",
      unreadable: "Este archivo no se puede leer. Puede ser una carpeta, o cambió mientras tanto. Elíjalo otra vez.",
      too_large: "Este archivo tiene más de 25 MB. Hágalo más pequeño y elíjalo otra vez.",
      too_many_pixels: "Esta imagen es demasiado grande para esta página. Hágala más pequeña o tome una foto nueva.",
      broken: "Esta imagen está dañada, o este navegador no puede abrirla. Tómele una foto.",
      heic:
        "Este navegador no puede abrir este tipo de foto (HEIC). Tome una foto nueva aquí, o guárdela primero como JPEG."
    }
  },
  chosen: {
    title: "Revíselo y guárdelo",
    photo: "Esto es lo que se guarda. El lugar y el dispositivo se quitan.",
    photoName: "La foto tal como se guarda",
    exact: "Se guarda tal como es, con todo lo que contiene.",
    pdf: "Un PDF se guarda tal como es, con todo lo que contiene.",
    kind: "Tipo",
    size: "Tamaño",
    name: "Nombre",
    nameHint: "Puede cambiarlo.",
    nameless: "Póngale un nombre.",
    locks: "Si la aplicación se bloquea, tendrá que elegirlo otra vez. Este dispositivo no guarda ninguna copia.",
    save: "Guardar",
    other: "No guardar",
    sending: "Enviando",
    sent: (sent, all) => `${sent} de ${all}`,
    saving: "Guardando",
    cancel: "Cancelar",
    looking: "Comprobando si se guardó"
  },
  news: {
    saved: "Guardado:",
    savedMeanwhile: "Se guardó antes de que usted cancelara. Puede borrarlo abajo:",
    cancelled: "Cancelado. No se guardó nada.",
    lost: {
      title: "Se perdió la conexión",
      text: "No se guardó. Inténtelo de nuevo."
    },
    doubt: {
      title: "No sabemos si se guardó",
      text: "No podemos conectar con el servicio. Seguimos preguntando. Quédese en esta página hasta que diga más."
    },
    deleted: "Borrado:"
  },
  problems: {
    unsupported_media_type: {
      title: "Este tipo de archivo no se puede guardar",
      text: "No se guardó nada. Guárdelo como PDF, JPEG o PNG y elíjalo otra vez."
    },
    payload_too_large: {
      title: "Este archivo es demasiado grande",
      text: "No se guardó nada. Se pueden guardar hasta 25 MB."
    },
    conflict: {
      title: "Sus documentos están llenos",
      text: "No se guardó nada. Borre los que ya no necesita e inténtelo de nuevo."
    }
  },
  files: {
    title: "Fotos y archivos",
    none: "Aquí no hay nada todavía.",
    noneSoFar: "Ninguno entre los más nuevos. Muestre más abajo.",
    about: (kind, size, day) => `${kind}, ${size}, agregado el ${day}`
  },
  releases: {
    title: "Autorizaciones firmadas",
    none: "Usted no ha firmado ninguna autorización.",
    sign: "Firmar una autorización",
    to: (name) => `Autorización para ${name}`,
    about: (size, day) => `PDF, ${size}, firmada el ${day}`,
    status: {
      in_force: "Vigente",
      expired: "Terminada",
      revoked: "Usted la terminó",
      superseded: "Reemplazada"
    },
    until: (day) => `Vigente hasta el ${day}.`,
    expired: (day) => `Terminó el ${day}.`,
    revoked: (day) => `Se le puso fin el ${day}.`,
    superseded: "Una autorización más nueva la reemplazó.",
    links: "Enlaces",
    noLinks: "Ningún enlace lleva a ella.",
    linkFor: "Enlace para",
    link: {
      read: "leído",
      codeSent: "abierto, código enviado, todavía no leído",
      opened: "abierto, todavía no leído",
      mailed: "enviado por correo, todavía no abierto",
      made: "todavía no abierto"
    },
    linkUntil: (day) => `sirve hasta el ${day}`,
    endedLinks: (count) => count === 1 ? "1 enlace que ya no sirve" : `${count} enlaces que ya no sirven`,
    makeLink: "Crear un enlace",
    change: "Cambiar",
    inForce: "Mientras está vigente, no se puede borrar.",
    end: "Terminarla o desactivar un enlace"
  },
  ways: {
    show: "Mostrar",
    hide: "Ocultar",
    save: "Guardar",
    saveRecord: "Guardar el expediente que contiene (FHIR)",
    saveShape: "Guardar todo: expediente, permiso y PDF (FHIR)",
    remove: "Borrar",
    getting: "Trayendo el archivo"
  },
  more: "Mostrar más",
  remove: {
    title: "¿Borrar esto?",
    file: "Se quita para siempre. No podemos recuperar lo que otros leyeron, imprimieron o guardaron.",
    release:
      "Sale de esta lista y sus enlaces no muestran nada. Por ley, una autorización que alguien vio se guarda 6 años, sin que nadie la vea.",
    needed: {
      title: "Una autorización necesita este archivo",
      text: "No se borró nada. Primero termine esa autorización en Compartir."
    },
    keep: "Conservarlo"
  },
  pdf: spanishPdfWords
}
