import { fullStop } from "../../../shared/language/FullStop.ts"
import type { AccountWords } from "./English.ts"

/** The words of the account in Spanish, as it is spoken in the United States. */
export const spanish: AccountWords = {
  title: "Cuenta",
  looked: "Volvimos a mirar. Así está ahora.",
  person: {
    title: "Usted",
    name: "Nombre",
    nameHint: "Solo las personas que administran este servicio pueden cambiar su nombre aquí.",
    email: "Correo",
    emailHint: "Los códigos y los avisos sobre su cuenta llegan a ese correo.",
    change: "Cambiar el correo"
  },
  email: {
    label: "Correo nuevo",
    hint: "Le enviamos un código. Nada cambia hasta que escriba el código.",
    send: "Enviar el código",
    sending: "Enviando el código",
    malformed: "Escriba un correo completo, como nombre@example.org.",
    same: "Este ya es su correo.",
    tooMany: (wait, perDay) => `Se enviaron demasiados códigos. Puede pedir ${perDay} al día. Espere ${wait}.`,
    unanswered: "No recibimos respuesta. Si le llega un código, no servirá. Envíe uno nuevo.",
    sentTo: "Enviamos un código a",
    until: "Sirve por 10 minutos. ¿No llegó? Mire en su correo no deseado.",
    code: "Código del correo",
    digits: (count) => `${count} dígitos`,
    length: (count) => `El código tiene ${count} dígitos.`,
    finish: "Cambiar mi correo",
    finishing: "Revisando el código",
    again: "Enviar un código nuevo",
    sentAgain: "Va en camino un código nuevo. El anterior ya no sirve.",
    keep: "Dejar el correo de antes",
    changed: "Su correo cambió. También avisamos al correo anterior."
  },
  devices: {
    title: "Dónde tengo la sesión abierta",
    ended: (name) => `Se cerró en ${name}. Ese dispositivo ya no puede abrir su expediente.`,
    unnamed: "Un dispositivo sin nombre",
    unnamedInside: "un dispositivo sin nombre",
    current: "Este dispositivo",
    facts: (day, time, network) => `Sesión iniciada: ${day}. Último uso: ${time}, desde la red ${network}.`,
    end: "Cerrar",
    endOn: (name) => `Cerrar en ${name}`,
    endAll: "Cerrar todas, esta también",
    allTitle: "¿Cerrar la sesión en todas partes?",
    allText: "Se cierra ahora mismo en todos los dispositivos, en este también. Lo que comparte sigue igual.",
    keep: "Dejarlas",
    confirm: "Cerrar todas"
  },
  signIns: {
    title: "Inicios de sesión del VA",
    text:
      "Las cuentas del VA que abren su expediente aquí, como ID.me o Login.gov. El VA no nos dice cuál es cada una.",
    name: (number) => `Cuenta del VA ${number}`,
    added: {
      mail: (time) => `Añadida: ${time}, con un código que le enviamos.`,
      operator: (time) => `Añadida: ${time}, por las personas que administran este servicio.`,
      session: (time) => `Añadida: ${time}, con su sesión abierta aquí.`
    },
    account: (host) => `Cuenta en ${host}.`,
    only: "Es la única, así que no se puede quitar. Primero añada otra.",
    remove: "Quitar",
    removeNamed: (name) => `Quitar ${name}`,
    question: (name) => `¿Quitar ${name}?`,
    means:
      "Ya no podrá abrir su expediente. Su sesión se cierra en todos los dispositivos, en este también. Lo que comparte sigue igual.",
    afterward: "Después, inicie sesión con una cuenta del VA que conserve.",
    keep: "Conservarla",
    last: "La última cuenta del VA no se puede quitar. Primero añada otra.",
    full: (count) => `Tiene ${count}, que es el máximo. Quite una antes de añadir otra.`,
    add: "Añadir otra cuenta del VA",
    addText:
      "Ahora el VA le pedirá iniciar sesión. Hágalo allí de la otra manera, como con Login.gov. Después volverá aquí.",
    addGo: "Ir al VA",
    addGoing: "Vamos al VA",
    adding: "Añadiendo su cuenta del VA",
    cancel: "Cancelar",
    done: "Añadida. Ahora puede iniciar sesión de las dos maneras.",
    taken:
      "El VA inició su sesión con una que ya abre un expediente aquí. Para añadir otra, cierre su sesión en va.gov e inténtelo de nuevo.",
    other: "Esta cuenta del VA no se pudo añadir. Quizás el VA la conoce como de otra persona. No se cambió nada.",
    tooMany: (wait) => `Demasiados intentos. Espere ${wait} e inténtelo de nuevo.`
  },
  notices: {
    title: "Mensajes para mí",
    text: "Le escribimos por correo. Ningún mensaje lleva datos de salud ni nombres.",
    looks: "Cuando alguien miró mi expediente",
    each: "Cada vez",
    daily: "Una vez al día",
    off: "Nunca",
    offHint: "En esta aplicación siempre puede ver quién miró.",
    others: "Otros mensajes",
    endings: "3 días antes de que termine algo que comparto",
    stale: "Cuando comparto un expediente que no está al día",
    staleHint: "Un mensaje, después de los días sin actualizarse que usted diga aquí.",
    days: "Días sin actualizarse",
    daysWrong: (minimum, maximum) => `Escriba un número de ${minimum} a ${maximum}.`,
    daysRange: (minimum, maximum) => `Un número de ${minimum} a ${maximum}.`,
    always:
      "Los mensajes que protegen su cuenta llegan siempre: un dispositivo nuevo, un correo nuevo, códigos incorrectos, un borrado.",
    save: "Guardar",
    saving: "Guardando",
    saved: "Guardado.",
    unsaved: "Todavía no está guardado."
  },
  copy: {
    title: "Obtener todos mis datos",
    text:
      "Un archivo ZIP: su expediente, sus propias palabras, notas, documentos, quién puede verlos y quién miró. Puede tardar un minuto.",
    safe: "El archivo no está protegido. Quien lo tenga puede leerlo, así que guárdelo en un dispositivo suyo.",
    limit: (perDay) => `Puede obtenerlo ${perDay} veces al día. Le avisamos por correo cada vez.`,
    making: "Preparando su copia",
    arriving: "Su copia está llegando",
    received: (size) => `${size} hasta ahora`,
    keepOpen: "Deje esta página abierta hasta que se guarde.",
    cancel: "Cancelar",
    cancelled: "Usted la detuvo. No se guardó nada.",
    ready: (size) => `Su copia está completa: ${size}. Mire en sus descargas.`,
    again: "Guardarla otra vez",
    leaves: "Esta página olvida la copia cuando usted sale de ella.",
    cutTitle: "La copia no está completa",
    cut: "La conexión se cortó antes de tiempo, así que no se guardó nada. Inténtelo de nuevo.",
    runningTitle: "Ya se está preparando una copia",
    running: "Aquí o en otro dispositivo. Espere a que termine e inténtelo de nuevo.",
    tooManyTitle: "Hoy no hay más copias",
    tooMany: (wait, perDay) => `Puede obtener ${perDay} copias en 24 horas. Espere ${wait}.`
  },
  deletion: {
    title: "Borrar mis datos",
    intro: "Puede pedirnos que borremos todo lo suyo. Esperamos 72 horas. Hasta entonces puede decir que no.",
    nowTitle: "De inmediato",
    now: [
      "Termina todo lo que comparte. Si se queda, tendrá que compartirlo de nuevo.",
      "No se guarda ninguna actualización ni se comparte nada nuevo."
    ],
    goneTitle: "Después de 72 horas, esto desaparece para siempre",
    gone: [
      "su expediente aquí, sus propias palabras y los archivos que añadió",
      "las notas que los proveedores escribieron aquí sobre usted",
      "sus inicios de sesión, su nombre y su correo"
    ],
    staysTitle: "Esto se queda, y por qué",
    stays: [
      "Una autorización firmada que alguien vio. La ley nos obliga a guardarla al menos 6 años. Nadie puede abrirla.",
      "La lista de lo que pasó con su expediente. Tiene números y no nombres, y prueba que no se ocultó nada.",
      "Lo que otros leyeron, imprimieron o guardaron. Eso no lo podemos recuperar.",
      "Las copias de seguridad de este servicio, hasta que las borren las personas que lo administran.",
      "Su expediente en el VA. El VA lo conserva como antes."
    ],
    copyFirst: "¿Quiere una copia? Antes obtenga todos sus datos, más arriba.",
    label: "Escriba su nombre como aparece aquí",
    hint: (name) => `Su nombre aquí: ${name}`,
    differs: (name) => `Ese no es su nombre aquí. Escriba: ${name}`,
    keep: "Conservar mis datos",
    ask: "Borrar mis datos en 72 horas",
    asking: "Pidiendo el borrado",
    asked: (time) => `Usted nos pidió borrar sus datos. Ocurrirá: ${fullStop(time)}`,
    due: (time) =>
      `Borraremos sus datos: ${fullStop(time)} Para evitarlo, pulse «Conservar mis datos» al principio de la página.`,
    sharedEnded: "Terminó todo lo que compartía.",
    off: "Sus datos están por borrarse.",
    tooMany: (wait) => `Lo pidió demasiadas veces hoy. Espere ${wait}.`,
    kept: "Sus datos se quedan. Lo que compartía antes terminó: compártalo de nuevo si quiere."
  },
  device: {
    title: "Qué guarda esta aplicación en este dispositivo",
    text:
      "Una llave que solo este navegador puede usar, el número de su sesión y los archivos de la aplicación. Ningún dato de salud y ninguna contraseña. La llave del VA para su expediente desaparece cuando cierra la aplicación.",
    forget: "Olvidar este dispositivo",
    question: "¿Olvidar este dispositivo?",
    means:
      "Cerramos su sesión y quitamos de este dispositivo la llave y los archivos de la aplicación. Su expediente y lo que comparte se quedan.",
    loses: "Lo que empezó aquí y no terminó se pierde.",
    keep: "Dejarlo"
  },
  about: {
    title: "Sobre esta aplicación",
    notVa: "Veteran Records no es parte del VA, y este no es un sitio web del VA.",
    source:
      "El VA guarda su expediente. Lo que ve aquí es una copia de su última actualización. Si algo está mal, avise al VA.",
    privacy: "Nadie ve su expediente aquí si usted no lo comparte. Cada vez que alguien mira, queda en «Quién miró».",
    help: "¿Necesita ayuda? Llame a las personas que le dieron esta aplicación.",
    sandbox: "Esta es de prueba. No tiene expedientes reales."
  },
  signedInAs: "Sesión iniciada como",
  signOut: "Cerrar sesión"
}
