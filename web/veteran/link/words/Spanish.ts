import { fullStop } from "../../../shared/language/FullStop.ts"
import type { LinkWords } from "./English.ts"

/** The words of making a link to a signed release, in Spanish, as it is spoken in the United States. */
export const spanish: LinkWords = {
  title: "Crear un enlace",
  loading: "Buscando la autorización",
  ended: "Esta autorización terminó, o no está aquí. Un enlace necesita una autorización firmada que esté vigente.",
  back: "Volver a Compartir",
  openSharing: "Abrir Compartir",
  signRelease: "Firmar una autorización",
  before: (count) =>
    count === 1
      ? "Usted ya creó un enlace a esta autorización, y funciona. Su dirección no se puede mostrar otra vez."
      : `Usted ya creó ${count} enlaces a esta autorización, y funcionan. Sus direcciones no se pueden mostrar otra vez.`,
  who: {
    for: (name) => `Para ${name}`,
    code: (email) => `Necesita el enlace, y un código que enviamos a ${email}.`,
    change: "Cambiar quién lo recibe",
    name: "Su nombre",
    nameHint: "200 caracteres como máximo.",
    email: "Su correo electrónico",
    emailHint: "El código llega allí. Quien lea ese correo puede abrir su autorización.",
    asSigned: "Como en la autorización",
    wrongName: "Escriba el nombre.",
    longName: "Este nombre es demasiado largo. Use 200 caracteres como máximo.",
    wrongEmail: "Escriba la dirección completa, por ejemplo nombre@example.org."
  },
  until: {
    legend: "El enlace sirve durante",
    days: (count) => count === 1 ? "1 día" : `${count} días`,
    release: (day) => `Hasta que termine su autorización: ${day}`
  },
  forApps: {
    title: "¿Puede abrirlo también una aplicación de salud?",
    choice: "También para aplicaciones que leen «SMART Health Links»",
    hint:
      "Una aplicación de la clínica puede entonces leer el mismo código QR y recibir su expediente. Necesita el código que enviamos por correo, igual que nuestra página.",
    limits:
      "Algunas aplicaciones de recepción solo leen enlaces sin código (con el indicador U). No pueden abrir este enlace. Un enlace por sí solo nunca debe abrir su expediente."
  },
  how: {
    legend: "¿Cómo recibe el enlace?",
    mail: "Envíenlo por correo",
    desk: "Mostrarlo en la recepción",
    myself: "Darlo de otra manera",
    hint: "En cada caso puede copiar o mostrar el enlace. Lo ve una sola vez.",
    making: "Creando el enlace",
    mailing: "Creando y enviando el enlace"
  },
  differs: {
    title: "Esta dirección no es la de su autorización",
    release: "Su autorización dice",
    typed: "Usted escribió",
    what:
      "El código llega a la dirección que usted escribió. Quien lea ese correo puede abrir su autorización. Lo que usted firmó no cambia: todavía nombra la otra dirección.",
    asSigned: "Usar la dirección de mi autorización",
    send: "Usar la dirección que escribí",
    made: "Este enlace va a otra dirección que la de su autorización."
  },
  refused: {
    mail: (wait) =>
      `No se creó ningún enlace: ya son tantos por correo, o a personas nuevas, como permite un día. Créelo sin el correo, o inténtelo de nuevo en ${wait}.`,
    conflict: "No se creó ningún enlace. La autorización terminó, o mientras tanto se dejó de compartir todo.",
    forApps:
      "No se creó ningún enlace. Puede que la autorización haya terminado, que sea demasiado grande para las aplicaciones, o que usted tenga demasiados enlaces para aplicaciones. Inténtelo sin la opción para aplicaciones.",
    deletion: "No se creó ningún enlace. Usted nos pidió borrar sus datos, así que no se puede compartir nada nuevo.",
    wrong: "El servicio no pudo aceptar el nombre o el correo. Revíselos."
  },
  lost: {
    title: "¿Se creó un enlace?",
    asking: "No llegó ninguna respuesta. Estamos viendo si se creó un enlace.",
    away: "No pudimos conectar con el servicio. Puede que se haya creado un enlace. Seguimos preguntando.",
    none: "No se creó ningún enlace. No se envió nada.",
    again: "Intentar de nuevo",
    made: "Se creó un enlace, pero su dirección no llegó a este teléfono.",
    unmailed:
      "No podemos mostrar la dirección otra vez, y no se envió por correo. Desactive el enlace y cree uno nuevo.",
    mailed: (time) => `Se envió por correo: ${fullStop(time)} La otra persona puede usarlo.`,
    off: "Desactivarlo",
    keep: "Conservarlo",
    stopped: "Ese enlace está desactivado. Puede crear uno nuevo."
  },
  made: {
    title: "El enlace está listo",
    mailed: (time) => `Correo enviado: ${time}`,
    notMailed: "El correo no salió. Dé usted el enlace, o cree uno nuevo.",
    until: (moment) => `Sirve hasta: ${fullStop(moment)}`,
    once: "Esta es la única vez que mostramos el enlace.",
    qr: "Código QR del enlace",
    point: (email) => `Apunte aquí la cámara de la clínica. También necesitan el código que enviamos a ${email}.`,
    full: "Mostrarlo en pantalla completa",
    copy: "Copiar el enlace",
    copyForApp: "Copiarlo para una aplicación",
    copied: "Copiado. El enlace está en su portapapeles.",
    byHand: "Este navegador no copia por nosotros. El enlace está seleccionado: cópielo usted.",
    address: "El enlace",
    share: "Compartir el enlace",
    shared: "Compartido.",
    notShared: "Aquí no se pudo compartir. Copie el enlace.",
    done: "Listo",
    again: "Crear uno nuevo",
    ended: "Este enlace ya no sirve.",
    close: "Cerrar",
    awake: "La pantalla se queda encendida.",
    asleep: "Mantenga la pantalla encendida."
  },
  code: {
    title: "En la recepción",
    when:
      "¿Su aplicación pide un código de acceso («passcode») antes que nada? Envíe el código ahora. Si no, lo enviamos cuando traten de abrir el enlace.",
    tell: (email) => `Diga en la recepción: «Escriban el código que se envió a ${email}».`,
    send: "Enviar el código ahora",
    again: "Enviar un código nuevo",
    sending: "Enviando el código",
    later: (name, wait) => `${name} (en ${wait})`,
    sent: (wait) => `El código va en camino. Sirve una sola vez, durante ${wait}.`,
    tooMany: (wait) =>
      `Hace poco se enviaron códigos. Pueden mirar en el correo no deseado, o esperar ${wait} para recibir uno nuevo.`,
    notSent: "El correo no salió. No se perdió nada. Inténtelo otra vez en un momento."
  },
  leaving: {
    title: "¿Salir sin dar el enlace?",
    what:
      "No se envió, copió, compartió ni mostró en pantalla completa. Si sale, no podemos mostrarlo otra vez. Puede crear uno nuevo.",
    stay: "Quedarme aquí",
    leave: "Salir"
  }
}
