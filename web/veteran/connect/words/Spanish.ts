import type { ConnectWords } from "./English.ts"

const unchecked = "No se pudo comprobar ese inicio de sesión. Empiece de nuevo."

const notSetUp = "Este servicio todavía no está conectado con el VA. Dígaselo a las personas que lo administran."

export const spanish: ConnectWords = {
  brand: "Veteran Records",
  opening: "Abrimos su expediente",
  finishing: "Terminamos el inicio de sesión",
  unreached: "Su expediente no se puede abrir ahora",
  idle: {
    title: "¿Sigue ahí?",
    text: "Por seguridad, esta aplicación se bloquea en 1 minuto.",
    stay: "Seguir aquí"
  },
  connect: {
    tab: "Conectar",
    title: "Vea su expediente médico del VA",
    text: "Compártalo con quien usted elija. Deje de compartirlo cuando quiera.",
    invited: "Primero conéctese. Después podrá compartir con la clínica.",
    go: "Conectar con el VA",
    promise:
      "Usted inicia sesión en el VA. Nosotros nunca vemos su contraseña. La clave del VA para su expediente se queda en este teléfono.",
    whatWeKeep: "Lo que guardamos",
    kept: "Una copia de su expediente, cifrada. Este teléfono no guarda datos de salud."
  },
  going: "Vamos al VA",
  sandbox: "VA de prueba: no hay expedientes reales.",
  locked: {
    title: "Bloqueada",
    endings: {
      away: "La aplicación se bloquea después de 5 minutos sin verla, y cuando usted la cierra.",
      idle: "La aplicación se bloquea después de 15 minutos sin uso.",
      time: "La aplicación se bloquea 12 horas después de iniciar sesión.",
      refused: "Su sesión terminó. Puede que se haya cerrado desde otro dispositivo.",
      signedOut: "Usted cerró la sesión."
    },
    begun: "Lo que empezó sigue aquí.",
    unsigned: "Su autorización sin firmar sigue aquí.",
    touch: "Ábrala aquí con la cara o la huella. Si no lo ha configurado:",
    newWindow: "Inicie sesión en una ventana nueva",
    comeBack: " y después vuelva.",
    invited: "Primero abra la aplicación. Después podrá compartir con la clínica.",
    signIn: "Iniciar sesión en el VA",
    instead: "Mejor iniciar sesión en el VA",
    forget: "Olvidar este dispositivo"
  },
  unfinished: {
    title: "El cierre de sesión no ha terminado",
    text:
      "No se puede conectar con el servicio. Lo seguimos intentando mientras esta página esté abierta. La sesión termina sola en 30 minutos."
  },
  pair: {
    tab: "¿Es usted?",
    title: "Solo una vez: demuestre que este expediente es suyo",
    sent: "Si está registrado aquí, enviamos un código a su correo electrónico.",
    mailed: { label: "Código del correo electrónico", hint: "8 números", form: "Escriba los 8 números del correo." },
    paper: {
      label: "Código en papel",
      hint: "12 letras y números",
      form: "Escriba las 12 letras y números del papel."
    },
    go: "Continuar",
    checking: "Comprobamos el código",
    toMailed: "Tengo un código de un correo electrónico",
    toPaper: "Tengo un código en papel",
    never: "Nunca le llamamos por teléfono para pedirle este código.",
    again: "Empezar de nuevo",
    back: "Dejarlo y volver",
    over: "Ese código ya no sirve. Empiece de nuevo.",
    wrong: (left) => `Ese código no es correcto. Le ${left === 1 ? "queda 1 intento" : `quedan ${left} intentos`}.`
  },
  waitlist: {
    title: "¿No llegó el correo después de 5 minutos?",
    text: "Puede que todavía no esté registrado.",
    email: "Su correo electrónico",
    missing: "Escriba su correo electrónico.",
    join: "Unirme a la lista de espera",
    joined: "Está en la lista de espera. Le escribiremos."
  },
  problems: {
    va_denied: "Usted eligió no conectarse. No se guardó nada.",
    va_foreign: "Ese inicio de sesión no empezó aquí. Empiece de nuevo.",
    va_unfinished: "El VA no terminó. Empiece de nuevo.",
    va_nobody: "El VA no dijo de quién es este expediente. Llame al VA: 800-698-2411.",
    va_missing: notSetUp,
    not_found: notSetUp,
    key_unkept: "Este navegador no puede guardar la clave que abre su sesión. Use una ventana que no sea privada.",
    invalid_id_token: unchecked,
    invalid_challenge: unchecked,
    unauthenticated: unchecked,
    invalid_device_proof: `${unchecked} Si vuelve a pasar, revise el reloj de este dispositivo.`,
    identity_changed: "El número que el VA le da ha cambiado. Llámenos: lo revisaremos."
  }
}
