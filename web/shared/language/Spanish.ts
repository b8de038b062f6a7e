import type { Catalogue } from "./English.ts"
import { fullStop } from "./FullStop.ts"

const misunderstood = {
  title: "Esta página puede estar desactualizada",
  text: "El servicio no la entendió. Vuelva a cargar la página e inténtelo otra vez."
}

const signedOut = { title: "Su sesión se cerró", text: "Inicie sesión de nuevo para continuar." }

const notSignedIn = "No ha iniciado sesión"

const away = {
  title: "No se puede conectar con el servicio",
  text: "No se perdió nada. Inténtelo de nuevo en un momento."
}

const letters = (count: number) => count === 1 ? "1 letra" : `${count.toLocaleString("es-US")} letras`

/** The words of the shared parts in Spanish, as it is spoken in the United States. */
export const spanish: Catalogue = {
  skip: "Ir al contenido principal",
  notVa: "Este no es un sitio web del VA.",
  loading: "Cargando",
  stillWorking: "Seguimos trabajando",
  steps: "Pasos",
  stepDone: "(hecho)",
  tryAgain: "Intentar de nuevo",
  offline: {
    title: "No tiene conexión",
    reason: "No tiene conexión.",
    wait: "Esto continúa cuando vuelva la conexión.",
    since: (time) => `Lo que ve se cargó: ${fullStop(time)}`
  },
  notShown: "No podemos mostrar esto aquí. Puede descargarlo.",
  broken: {
    title: "Esto no se puede mostrar",
    text: "Vuelva a cargar la página. Su sesión sigue abierta.",
    again: "Volver a cargar la página"
  },
  letters: {
    count: letters,
    left: (count) => `${count === 1 ? "Queda" : "Quedan"} ${letters(count)}`,
    tooMany: (count) => `${count === 1 ? "Sobra" : "Sobran"} ${letters(count)}`
  },
  seconds: (count) => count === 1 ? "1 segundo" : `${count} segundos`,
  minutes: (count) => count === 1 ? "1 minuto" : `${count} minutos`,
  hours: (count) => count === 1 ? "1 hora" : `${count} horas`,
  today: (time) => `hoy, ${time}`,
  support: (id) => ` Si vuelve a pasar, dé este número a soporte: ${id}`,
  problems: {
    unreachable: away,
    service_unavailable: away,
    internal_error: {
      title: "El servicio no pudo hacer esto",
      text: "No se perdió nada. Inténtelo de nuevo en un momento."
    },
    request_timeout: {
      title: "Su conexión es lenta",
      text: "No llegó todo. No se perdió nada. Inténtelo de nuevo."
    },
    rate_limited: {
      title: "Demasiados intentos",
      text: ({ retryAfterSeconds = 60 }, wait) =>
        `Esto se hizo demasiadas veces. Espere ${wait(retryAfterSeconds)} y vuelva a intentarlo.`
    },
    invalid_json: misunderstood,
    invalid_request: misunderstood,
    method_not_allowed: misunderstood,
    unsupported_media_type: misunderstood,
    payload_too_large: {
      title: "Esto es demasiado largo",
      text: "No se perdió nada. Hágalo más corto y vuelva a intentarlo."
    },
    unauthenticated: signedOut,
    forbidden: signedOut,
    invalid_credentials: { title: notSignedIn, text: "El correo o la contraseña no es correcta." },
    provider_disabled: { title: notSignedIn, text: "Esta cuenta está desactivada. Pregunte a su administrador." },
    google_code_invalid: { title: notSignedIn, text: "Este inicio de sesión terminó. Empiece de nuevo." },
    consent_required: {
      title: "Ya no tiene acceso a este expediente",
      text: "El paciente dejó de compartirlo, o pasó la fecha final."
    },
    storage_full: { title: "No hay lugar por ahora", text: "No se guardó nada. Inténtelo más tarde." },
    confirmation_required: {
      title: "Confirme que es usted",
      text: "Para este paso, inicie sesión una vez más. Después, inténtelo otra vez."
    },
    not_confirmed: { title: "No se hizo nada", text: "Usted no confirmó su identidad. No se cambió nada." },
    deletion_pending: {
      title: "Sus datos están por borrarse",
      text:
        "Hasta entonces no se guarda ni se comparte nada nuevo. Primero pulse «Conservar mis datos» e inténtelo de nuevo."
    },
    conflict: { title: "Esto no se puede añadir", text: "No hay lugar para más. No se perdió nada." },
    not_found: { title: "Esto no está aquí", text: "Puede que se haya quitado, o la dirección no es correcta." },
    link_not_found: {
      title: "No encontramos este enlace",
      text:
        "Puede faltar una parte de la dirección. Abra el enlace otra vez desde su correo, o escanee de nuevo el código QR."
    },
    link_disabled: {
      title: "Este enlace se desactivó",
      text:
        "El veterano lo desactivó, o se probaron demasiados códigos incorrectos. Pida uno nuevo a la persona que se lo dio."
    },
    link_expired: {
      title: "Este enlace terminó",
      text: "Los enlaces sirven por un tiempo limitado. Pida uno nuevo a la persona que se lo dio."
    },
    otp_invalid: {
      title: "Ese código no es correcto",
      text: ({ attemptsLeft }) =>
        attemptsLeft === 0
          ? "Ese código ya no sirve. Pida uno nuevo."
          : attemptsLeft === undefined
          ? "Revise el código en el correo."
          : `Le ${attemptsLeft === 1 ? "queda 1 intento" : `quedan ${attemptsLeft} intentos`}.`
    },
    view_session_used: {
      title: "Este documento ya se abrió",
      text: "Cada código lo abre una vez. Pida un código nuevo para abrirlo otra vez."
    },
    view_session_expired: {
      title: "Se acabó el tiempo",
      text: "Por seguridad, el documento debe abrirse en los 5 minutos después del código. Pida un código nuevo."
    }
  }
}
