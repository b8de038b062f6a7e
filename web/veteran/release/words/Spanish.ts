import { fullStop } from "../../../shared/language/FullStop.ts"
import { spanishPdfWords } from "../../../shared/pdf/SpanishPdfWords.ts"
import type { ReleaseWords } from "./English.ts"

const counted = (count: number, one: string, many: string) =>
  `${count.toLocaleString("es-US")} ${count === 1 ? one : many}`

/** A release is called "autorización", as VA's own Spanish forms call it. */
export const spanish: ReleaseWords = {
  title: "Firmar una autorización",
  steps: ["Quién", "Qué", "Hasta", "Ver", "Firmar"],
  mend: (count) => count === 1 ? "Hay 1 cosa que corregir" : `Hay ${count} cosas que corregir`,
  lost:
    "Por seguridad, esta aplicación olvidó las partes protegidas y los motivos que usted escribió. Revise cada paso antes de firmar.",
  replaced: {
    title: "Reemplazar una autorización",
    reading: "Leyendo la autorización",
    notice: (day) => `Esto termina la autorización del ${day}.`,
    parts: (parts) => `Compartía partes protegidas: ${parts}. Active otra vez lo que quiere compartir.`,
    over: "Esta autorización ya terminó. Puede firmar otra.",
    fresh: "Firmar otra autorización"
  },
  who: {
    heading: "¿Quién la recibe y por qué?",
    intro:
      "Una autorización es un documento que usted firma. Lleva las partes de su expediente que usted elige, para una persona que usted nombra.",
    me: "De quién es el expediente",
    fullName: "Mi nombre completo",
    fullNameHint: "Como ellos lo conocen.",
    born: "Mi fecha de nacimiento",
    person: "Quién la recibe",
    name: "Su nombre",
    nameHint: "Una persona o una oficina.",
    organization: "Organización",
    email: "Su correo electrónico",
    emailHint: "Para abrir un enlace necesitan un código que enviamos a esta dirección.",
    position: "Su título o cargo",
    npi: "NPI",
    npiHint: "Número nacional de proveedor, de 10 dígitos. Puede dejarlo vacío.",
    optional: "Puede dejarlo vacío.",
    why: "¿Por qué?",
    reason: "En sus palabras",
    reasonHint: "Ellos pueden leer esto."
  },
  what: {
    heading: "¿Qué lleva?",
    all: "Todo lo del VA, como está ahora",
    frozen:
      "Una autorización lleva su expediente como está cuando usted firma. Lo que llegue después no está incluido.",
    ownWords: "Lo que usted escribió aquí en sus propias palabras nunca está en una autorización.",
    none: "Su expediente todavía no está aquí. La autorización no llevaría nada de él.",
    update: "Traer mi expediente del VA",
    many:
      "Esto puede ser más de lo que cabe en una autorización: 20,000 elementos. Elija menos tipos, o algunas fechas.",
    dates: "Fechas",
    datesHint: "Deje las dos vacías para todas las fechas. Con fechas, lo que no tiene fecha no se incluye.",
    from: "Desde",
    to: "Hasta",
    documents: "Mis documentos",
    documentsHint: "Archivos que usted añadió aquí. Cada uno va en la autorización tal como es.",
    noDocuments: "No tiene documentos aquí.",
    gone: "Un documento que ya no está aquí",
    protectedParts: "Partes protegidas",
    protectedText: "La ley federal protege estas partes más que el resto. No se comparten si usted no las activa."
  },
  until: {
    legend: "La autorización termina",
    day: "Un día que yo elijo",
    event: "Cuando pase algo",
    lastDayHint: "Como máximo 12 meses desde hoy.",
    what: "¿Qué la termina?",
    whatHint: (day) => `Ellos pueden leer esto. La autorización termina a más tardar el ${day}.`,
    after: (length) => `Después de ${length}`,
    stop: "Puede terminarla antes, cuando quiera, en Compartir."
  },
  preview: {
    heading: "Véala antes de firmar",
    unsigned: "Todavía sin firmar",
    text: "Estas son las páginas que ellos verían. No se envía nada y no se guarda nada.",
    making: "Preparando sus páginas",
    cancel: "Cancelar",
    make: "Preparar las páginas",
    save: "Guardar estas páginas",
    changed: "Su expediente cambió después de que usted miró. Mire las páginas nuevas antes de firmar.",
    outdated: "Lo que usted eligió cambió. Mire las páginas nuevas antes de firmar."
  },
  sign: {
    heading: "Firmar la autorización",
    incomplete: (kinds) => `No está completo: ${kinds}`,
    incompleteText: (day) =>
      `${
        day === undefined ? "" : `Completo por última vez: ${day}. `
      }Puede firmar de todos modos. Les diremos lo que falta en lo que usted comparte.`,
    to: "Para",
    what: "Qué",
    until: "Hasta",
    noParts: "Ninguna",
    kinds: (count) => counted(count, "tipo", "tipos"),
    atMost: (items) => `como máximo ${counted(items, "elemento", "elementos")}`,
    documents: (count) => counted(count, "documento", "documentos"),
    latest: (day) => `(a más tardar el ${day})`,
    look: "Ver las páginas otra vez",
    asItIs: (kinds) => `Compartirlo como está, aunque mi expediente no está completo: ${kinds}`,
    asItIsHint: "Puede firmar sin esto. La autorización dice si usted lo marcó.",
    statements: "Las cinco declaraciones",
    read: "Leí las cinco declaraciones y las acepto.",
    electronic: "Firmo electrónicamente. Vale como la tinta.",
    typed: "Escriba su nombre completo",
    typedHint: (name) => `Como en la autorización: ${name}`,
    differs: "Escribo mi nombre de otra forma que en la autorización.",
    draw: "Dibujar también una firma (no es necesario)",
    drawHint: "Dibuje con el dedo, un lápiz o un ratón. Escribir su nombre es suficiente.",
    drawArea: "Su firma dibujada",
    drawn: "Hay un dibujo.",
    notDrawn: "No hay ningún dibujo.",
    clear: "Borrar",
    sign: "Firmar",
    signing: "Firmando",
    another: (time) =>
      `Ya hay una autorización vigente para este correo, firmada: ${fullStop(time)} Esta sería una más.`
  },
  help: {
    pages: "Las páginas están en inglés.",
    intro:
      "Lo que usted firma está en inglés, y cuenta el texto en inglés. Debajo de cada declaración hay una traducción que solo le ayuda a leer.",
    statements: [
      "Usted puede revocar esta autorización cuando quiera: en la aplicación, en la parte de Compartir (Consent), o por escrito a quien nombra la sección B. La revocación vale de inmediato: desde entonces no se entrega nada más con ella.",
      "Revocarla no puede deshacer lo que se entregó, o se hizo confiando en esta autorización, antes de revocarla.",
      "Usted decide si firma. Su tratamiento, los pagos, su inscripción y su derecho a beneficios no dependen de eso.",
      "Una vez entregada, quien recibe la información puede pasarla a otros, y puede que las leyes federales de privacidad ya no la protejan.",
      "Usted recibe una copia de esta autorización firmada y puede leerla en la aplicación cuando quiera."
    ]
  },
  doubt: {
    title: "No sabemos si se firmó",
    text:
      "El servicio no respondió. Primero buscamos la autorización, así que nunca se firma dos veces. Quédese en esta página.",
    wait: "Primero buscamos la autorización.",
    looking: "Buscando la autorización",
    look: "Buscar ahora",
    not: "No se firmó",
    notText: "Miramos: no existe esa autorización. Puede firmar otra vez.",
    goOn: "Continuar con la autorización"
  },
  refused: {
    title: "No se firmó",
    previewTitle: "No se pudieron preparar las páginas",
    notConfirmed: "Usted no confirmó que es usted. No se firmó nada.",
    turn: (wait) => `Su otra autorización todavía se está preparando. Espere ${wait} e inténtelo otra vez.`,
    previews: (wait) => `Usted preparó páginas 10 veces en poco tiempo. Espere ${wait} e inténtelo otra vez.`,
    tooManyItems: "En una autorización caben 20,000 elementos. Elija menos tipos, o algunas fechas.",
    tooLargeRecord: "En una autorización caben 64 MiB de expediente. Elija menos tipos, o algunas fechas.",
    tooLarge:
      "Con sus documentos, en una autorización caben 100 MiB. Elija menos documentos o tipos, o algunas fechas.",
    changedMeanwhile:
      "Un documento que usted eligió, o la autorización que esta reemplaza, ya no está. Elija otra vez.",
    conflict: "Algo cambió mientras usted firmaba. Revise cada paso otra vez.",
    deletion: "Usted pidió borrar sus datos, así que no se puede firmar nada nuevo.",
    account: "Abrir Cuenta",
    full: "El servicio no tiene lugar ahora. No se guardó nada. Inténtelo más tarde.",
    change: "Cambiar lo que lleva"
  },
  done: {
    heading: "La autorización está firmada",
    until: (day) => `Termina el ${fullStop(day)} Puede terminarla cuando quiera en Compartir.`,
    nobody: "todavía no la tiene. Cree un enlace para dársela.",
    link: "Crear un enlace",
    save: "Guardar el PDF",
    saved: "Guardado. Mire en sus descargas.",
    own: "El PDF es su propia copia: también muestra lo que usted no compartió. Deles el enlace, no este archivo.",
    sharing: "Abrir Compartir",
    personDiffers:
      "Su expediente tiene otro nombre u otra fecha de nacimiento que esta autorización. Revise que los dos sean suyos. Ellos también lo ven.",
    incomplete: (kinds) => `No está completo: ${kinds}. Se lo diremos.`,
    changed:
      "Su expediente se actualizó mientras usted firmaba. La autorización lleva el expediente más nuevo, que usted no vio antes. Guarde el PDF y mírelo."
  },
  wrong: {
    fullName: "Escriba su nombre completo.",
    born: "Escriba su fecha de nacimiento completa.",
    name: "Escriba el nombre de la persona o de la oficina.",
    organization: "Revise la organización.",
    position: "Revise su título o cargo.",
    email: "Escriba la dirección completa, por ejemplo nombre@example.org.",
    npi: "Ese no es un NPI. Revise los 10 dígitos, o déjelo vacío.",
    purpose: "Elija por qué.",
    reason: "Diga en pocas palabras por qué.",
    long: (name) => `${name}: hágalo más corto.`,
    kinds: "Elija al menos un tipo, o todo.",
    kindsNotLoaded: "Espere a que se carguen sus tipos.",
    dateFrom: "Escriba el primer día completo, o déjelo vacío.",
    dateTo: "Escriba el último día completo, o déjelo vacío.",
    range: "El último día es antes del primero.",
    documents: "Un documento ya no está. Elija otra vez.",
    categories: "Active otra vez las partes protegidas. Si no funciona, revise el reloj de su teléfono.",
    until: "Elija un día desde hoy, como máximo 12 meses desde hoy.",
    event: "Diga qué la termina.",
    read: "Lea las cinco declaraciones y marque la casilla.",
    electronic: "Marque la casilla para firmar electrónicamente.",
    typed: "Escriba su nombre como en la autorización, o marque que lo escribe de otra forma.",
    drawing: "No se pudo leer el dibujo. Bórrelo o dibuje otra vez."
  },
  pdf: spanishPdfWords
}
