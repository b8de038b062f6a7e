import { fullStop } from "../../../shared/language/FullStop.ts"
import type { LinkWords } from "./English.ts"

/** The words of the link's page in Spanish, as it is spoken in the United States. */
export const spanish: LinkWords = {
  title: "Un documento de salud para usted",
  checking: "Comprobando el enlace",
  tryAgain: "Intentar de nuevo",
  steps: ["Pedir un código", "Escribir el código", "Leer y guardar"],
  ask: {
    text:
      "Un veterano decidió compartir con usted información de salud firmada. Para confirmar que es usted, enviamos un código a su correo electrónico.",
    goesTo: "El código se envía a",
    until: "El enlace sirve hasta",
    send: "Enviarme un código",
    have: "Ya tengo un código",
    notYours:
      "¿No es su correo? Cierre esta página y avise a la persona que le dio el enlace. No comparta el enlace con nadie."
  },
  send: {
    sending: "Enviando el código",
    later: (name, wait) => `${name} (en ${wait})`,
    tooMany: (wait) => `Por ahora no se pueden enviar más códigos. Espere ${wait}.`,
    notSent: "No se pudo enviar el correo. No se perdió nada. Inténtelo de nuevo en un momento.",
    again: "Pedir un código nuevo"
  },
  code: {
    title: "Escriba su código",
    sent: (digits) => `Enviamos un código de ${digits} cifras a`,
    newest: (digits) => `Tome el código de ${digits} cifras del correo más reciente a`,
    keep: "Deje esta página abierta.",
    label: (digits) => `Código de ${digits} cifras`,
    until: (time) => `Sirve hasta: ${fullStop(time)}`,
    length: (digits) => `El código tiene ${digits} cifras.`,
    open: "Abrir el documento",
    opening: "Abriendo el documento",
    again: "Enviar un código nuevo",
    onItsWay: "Un código nuevo está en camino. El anterior ya no sirve.",
    junk: "¿No llegó el correo? Mire en su carpeta de correo no deseado. El asunto no muestra el código.",
    arrived: (received, size) => `${received} de ${size} MB`
  },
  read: {
    title: "Su documento está abierto",
    tab: "Su documento",
    now: "Guárdelo ahora. Por la privacidad del veterano, esta página no puede abrirlo otra vez sin un código nuevo.",
    save: (size) => `Guardar el PDF (${size})`,
    seen: "El veterano puede ver que usted lo abrió.",
    saved: "Guardado. Mire en sus descargas.",
    print: "Para imprimir, guarde el PDF e imprímalo. Nombra al paciente en cada página del expediente.",
    frame: "El expediente y el documento firmado",
    inside: "También dentro del PDF",
    saveFile: "Guardar",
    record: "el expediente (FHIR)",
    authorization: "la autorización (JSON)",
    ccda: {
      title: "Hecho a partir del expediente",
      save: "Descargar como C-CDA (para su sistema de expedientes)",
      exact:
        "Esto es una traducción, hecha en este dispositivo. El expediente en FHIR es exacto y el C-CDA no lo es. " +
        "Algunos datos están solo en su texto, y las dosis están solo en palabras.",
      busy: "Preparando el C-CDA…",
      failed: "No podemos traducir este expediente a C-CDA. Guarde el expediente en FHIR."
    },
    unread: (name) => `No podemos sacar ${name} del PDF. Está en el PDF que usted guarda.`
  },
  otherLink: {
    title: "¿Abrir el otro enlace?",
    text: "El documento de esta página no está guardado. Se cierra cuando abre otro enlace.",
    keep: "Conservar este documento",
    open: "Abrir el otro enlace"
  },
  ends: {
    no_link: {
      title: "Abra el enlace otra vez",
      text:
        "Por la privacidad del veterano, esta página no guarda el enlace. Ábralo desde su correo, o escanee de nuevo el código QR."
    },
    turned_off_while_open: {
      title: "El veterano desactivó este enlace",
      text: "El documento salió de esta página. Si todavía lo necesita, pregunte a la persona que le dio el enlace."
    },
    code_ended: {
      title: "Ese código ya no sirve",
      text: "Un código sirve una vez, por 10 minutos y 5 intentos. Pida uno nuevo."
    },
    download_stopped: {
      title: "La descarga se detuvo",
      text: "La conexión se perdió por demasiado tiempo. Pida un código nuevo para empezar otra vez."
    },
    too_many_downloads: {
      title: "Demasiados intentos",
      text: "Hubo demasiados intentos desde esta red. Espere 15 minutos y pida un código nuevo."
    },
    closed: {
      title: "El documento está cerrado",
      text: "Esta página lo olvida cuando usted sale, y después de un día. Pida un código nuevo para abrirlo otra vez."
    }
  }
}
