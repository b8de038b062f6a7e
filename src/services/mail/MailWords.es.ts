import { crisisLine } from "../../domain/CrisisLine.ts"
import { serviceName } from "../../domain/ServiceName.ts"
import { momentIn } from "../platform/Instants.ts"
import type { MailWords } from "./MailWords.en.ts"
import { noticed } from "./NoticeWords.es.ts"

const never = "Nunca le pedimos una contraseña."

const notYours =
  "Abra la aplicación, vaya a la cuenta (Account) y cierre la sesión en todas partes. Después cambie su contraseña en el VA y llame al operador de este servicio."

const notYou = `¿No fue usted? ${notYours}`

const theApp = (name: string | undefined) => name === undefined ? "una aplicación" : `la aplicación "${name}"`

const consentTab = "la pestaña de consentimiento (Consent) de la aplicación donde se guardan sus registros"

/** A link or a code is once in a mail, in its English part above. */
export const spanish: MailWords = {
  below: "En español: vea más abajo.",

  invitation: ({ host, name, until }) => [
    name === undefined ? "Hola:" : `${name}:`,
    `Un veterano comparte un documento con usted por medio de ${serviceName} (${host}).`,
    `Abra la dirección de arriba antes de esta fecha y hora: ${momentIn("es", until)}.`,
    "Después le pediremos un código, que enviamos a esta dirección de correo electrónico. El documento es solo para usted: no reenvíe este correo.",
    never,
    `¿No esperaba este correo? Bórrelo. Para saber quiénes somos, escriba usted mismo ${host} en su navegador.`
  ],

  linkCode: ({ host, isForApps, minutes, name }) => [
    name === undefined ? "Hola:" : `${name}:`,
    "Su código es el número grande de arriba.",
    isForApps
      ? `Escríbalo solo en la aplicación de salud con la que abrió el enlace del veterano, o en ${host}, en la página de ${serviceName}.`
      : `Escríbalo solo en ${host}, en la página de ${serviceName} donde lo pidió.`,
    `Sirve durante ${minutes} minutos y una sola vez. No se lo dé a nadie. ${never}`,
    isForApps
      ? "¿No abrió un enlace así, y el veterano no está con usted? Borre este correo. Sin el código, nadie puede abrir el documento."
      : "¿No pidió un código? Borre este correo. Sin el código, nadie puede abrir el documento."
  ],

  appCode: ({ app, host, minutes }) => [
    "Su código es el número grande de arriba.",
    `Es para ${
      theApp(app)
    }, que pide leer sus registros. Escríbalo solo en ${host}, en la página de ${serviceName} donde lo pidió.`,
    `Sirve durante ${minutes} minutos y una sola vez. No se lo dé a nadie, ni siquiera a quienes hacen la aplicación. ${never}`,
    "¿No pidió un código? Borre este correo. Sin el código, la aplicación no puede leer nada.",
    crisisLine.es
  ],

  link_opened: ({ at, hint }) => [
    `Su enlace seguro para ${hint} se abrió por primera vez el ${momentIn("es", at)}.`,
    `¿No lo esperaba? Desactive el enlace en ${consentTab}. Deja de funcionar de inmediato.`,
    crisisLine.es
  ],

  link_viewed: ({ at, hint }) => [
    `El destinatario de su enlace seguro para ${hint} vio el documento el ${momentIn("es", at)}.`,
    `¿No lo esperaba? Desactive el enlace en ${consentTab}. Deja de funcionar de inmediato.`,
    crisisLine.es
  ],

  link_locked: ({ at, hint }) => [
    `Su enlace seguro para ${hint} se desactivó el ${momentIn("es", at)}, después de demasiados códigos incorrectos.`,
    `¿El destinatario todavía necesita el documento? Cree un enlace nuevo en ${consentTab}.`,
    crisisLine.es
  ],

  app_connected: ({ app, at }) => [
    `Usted permitió que ${theApp(app)} lea sus registros, el ${momentIn("es", at)}.`,
    `¿No fue usted o cambió de opinión? Puede terminar el acceso de la aplicación en cualquier momento, en ${consentTab}. Desde entonces no lee nada más. La aplicación puede conservar lo que leyó antes.`,
    crisisLine.es
  ],

  app_replayed: ({ app, at }) => [
    `Terminamos el acceso de ${theApp(app)} a sus registros el ${
      momentIn("es", at)
    }, porque su clave se usó por segunda vez.`,
    `Es posible que alguien haya copiado la clave. Puede ver lo que se leyó en ${consentTab}. Si todavía quiere la aplicación, conéctela de nuevo.`,
    crisisLine.es
  ],

  pairing_code: ({ host, minutes }) => [
    `Alguien que inició sesión en el VA quiere ver sus registros en ${serviceName}. Si no es usted, no le diga este código a nadie.`,
    "Su código es el número grande de arriba.",
    `Escríbalo solo en ${host}, donde inició sesión. Sirve durante ${minutes} minutos y una sola vez. ${never}`,
    "¿No inició sesión? Borre este correo. Sin el código, nadie puede ver sus registros.",
    crisisLine.es
  ],

  new_device: ({ at }) => [
    `Un dispositivo nuevo inició sesión en su cuenta de ${serviceName} el ${momentIn("es", at)}.`,
    `¿Fue usted? Entonces no tiene que hacer nada. ${notYou}`,
    crisisLine.es
  ],

  identity_added: ({ at }) => [
    `Otra cuenta del VA puede abrir sus registros en ${serviceName}. Se agregó el ${momentIn("es", at)}.`,
    `¿Fue usted? Entonces no tiene que hacer nada. ${notYou}`,
    crisisLine.es
  ],

  identity_removed: ({ at }) => [
    `Una cuenta del VA ya no puede abrir sus registros en ${serviceName}. El cambio se hizo el ${
      momentIn("es", at)
    }, y se cerró la sesión en todos sus dispositivos.`,
    "¿No lo esperaba? Llame al operador de este servicio.",
    crisisLine.es
  ],

  passkey_added: ({ at }) => [
    `Se agregó una llave de acceso (passkey) a su cuenta de ${serviceName} el ${
      momentIn("es", at)
    }. Con ella, una cara, una huella o el bloqueo de pantalla abre sus registros.`,
    `¿Fue usted? Entonces no tiene que hacer nada. ${notYou}`,
    crisisLine.es
  ],

  passkey_removed: ({ at }) => [
    `Se quitó una llave de acceso (passkey) de su cuenta de ${serviceName} el ${
      momentIn("es", at)
    }. Ya no abre sus registros.`,
    `¿Fue usted? Entonces no tiene que hacer nada. ${notYou}`,
    crisisLine.es
  ],

  provider_email_changed: ({ at, to }) => [
    to === "old"
      ? `La dirección de correo electrónico de su cuenta en ${serviceName} se cambió el ${
        momentIn("es", at)
      }. Ya no inicia sesión con esta dirección, y aquí ya no llegan correos sobre su cuenta.`
      : `La dirección de correo electrónico de su cuenta en ${serviceName} se cambió a esta el ${
        momentIn("es", at)
      }. Desde ahora inicie sesión con esta dirección. Su contraseña sigue siendo la misma.`,
    "¿No lo esperaba? Llame al operador de este servicio."
  ],

  veteran_email_changed: ({ at, to }) => [
    to === "old"
      ? `La dirección de correo electrónico de su cuenta de ${serviceName} se cambió el ${
        momentIn("es", at)
      }. A esta dirección ya no llegan correos sobre sus registros, y un código que le enviamos aquí ya no sirve.`
      : `La dirección de correo electrónico de su cuenta de ${serviceName} se cambió a esta el ${
        momentIn("es", at)
      }. Desde ahora los correos sobre sus registros llegan aquí.`,
    "¿No lo esperaba? Llame al operador de este servicio.",
    crisisLine.es
  ],

  password_link: ({ host, until, why }) => [
    {
      registered:
        `Se creó una cuenta para usted en ${serviceName} (${host}). Con ella ve los registros que los veteranos comparten con usted.`,
      forgotten: `Alguien pidió una contraseña nueva para su cuenta en ${serviceName} (${host}).`,
      operator: `El operador de ${serviceName} (${host}) le envía este enlace para que elija una contraseña.`
    }[why],
    `Abra la dirección de arriba y elija su contraseña antes de esta fecha y hora: ${momentIn("es", until)}.`,
    `El enlace sirve una sola vez. Si recibe varios de estos correos, solo sirve el enlace del más reciente. ¿Ya es tarde? Vaya a ${host} y elija "Forgot your password?".`,
    why === "forgotten"
      ? "¿No la pidió? Borre este correo. Su contraseña no cambia."
      : "¿No esperaba este correo? Bórrelo y avise al operador de este servicio.",
    `Nunca le pedimos su contraseña por correo ni por teléfono. Elíjala solo en ${host}.`
  ],

  password_changed: ({ at, host }) => [
    `La contraseña de su cuenta en ${serviceName} (${host}) se cambió el ${momentIn("es", at)}.`,
    "Se cerró su sesión en todos los demás dispositivos.",
    `¿Fue usted? Entonces no tiene que hacer nada. ¿No fue usted? Vaya a ${host}, elija "Forgot your password?" y ponga una contraseña nueva. Después llame al operador de este servicio.`
  ],

  access_ended: ({ at }) => [
    `El operador de ${serviceName} terminó todo acceso a sus registros el ${momentIn("es", at)}.`,
    "Se cerró la sesión en todos sus dispositivos. Nadie con quien usted compartió sus registros puede leerlos aquí ahora: ningún proveedor, ninguna aplicación y ningún enlace. Lo que guardaron antes se queda con ellos.",
    "Para continuar, inicie sesión de nuevo y comparta otra vez con quien quiera. ¿No lo esperaba? Llame al operador de este servicio.",
    crisisLine.es
  ],

  deletion_asked: ({ at, until }) => [
    `El ${momentIn("es", at)} se nos pidió borrar sus registros y su cuenta en ${serviceName}. Lo haremos el ${
      momentIn("es", until)
    }.`,
    "Nadie con quien usted compartió sus registros puede leerlos aquí ahora. Hasta entonces usted todavía puede iniciar sesión, leer sus registros y guardar una copia.",
    "¿No lo quiere, o no fue usted? Abra la aplicación, vaya a la cuenta (Account) y cancele el borrado. O llame al operador de este servicio.",
    "Guardamos lo que la ley nos pide guardar: las autorizaciones que alguien vio, por al menos seis años, y la lista de quién leyó sus registros, que no tiene nombres.",
    crisisLine.es
  ],

  deletion_cancelled: ({ at }) => [
    `El borrado de sus registros en ${serviceName} se canceló el ${momentIn("es", at)}. No se borra nada.`,
    "Lo que usted compartía sigue terminado. Comparta otra vez con quien quiera.",
    `¿No lo esperaba? ${notYours}`,
    crisisLine.es
  ],

  deletion_done: ({ at }) => [
    `Sus registros y su cuenta en ${serviceName} se borraron el ${
      momentIn("es", at)
    }. Este es nuestro último correo para usted.`,
    "Guardamos lo que la ley nos pide guardar: las autorizaciones que alguien vio, por al menos seis años, y la lista de quién leyó sus registros, que no tiene nombres. Las copias de seguridad que tienen lo demás se borran a su tiempo.",
    "Sus registros en el VA no cambian. Quienes recibieron algo antes pueden guardar lo que tienen."
  ],

  email_code: ({ host, minutes }) => [
    `Alguien quiere que ${serviceName} escriba a esta dirección. Si no es usted, no le diga este código a nadie.`,
    "Su código es el número grande de arriba.",
    `Escríbalo solo en ${host}, donde lo pidió. Sirve durante ${minutes} minutos y una sola vez. ${never}`,
    "¿No lo pidió? Borre este correo. Sin el código no cambia nada."
  ],

  export_made: ({ at, byOperator }) => [
    `El ${momentIn("es", at)} se hizo una copia de todos sus datos en ${serviceName}, ${
      byOperator ? "por el operador de este servicio" : "desde su cuenta"
    }.`,
    byOperator
      ? "¿No la pidió? Llame al operador de este servicio."
      : `¿Fue usted? Entonces guarde la copia en un lugar seguro. ${notYou}`,
    crisisLine.es
  ],

  several: ({ more, told }) => [
    `Pasaron muchas cosas en su cuenta de ${serviceName}. Para que no reciba demasiados correos, este cuenta lo que pasó, primero lo más reciente.`,
    ...told,
    ...(more === 0 ? [] : [
      `Además, le habríamos enviado ${
        more === 1 ? "un correo más" : `${more} correos más`
      } sobre lo que pasó antes. Para verlo, abra la aplicación y vaya a «Quién miró».`
    ]),
    `¿Fue usted en todos los casos? Entonces no tiene que hacer nada. ${notYou}`,
    crisisLine.es
  ],

  noticed,

  notice: (facts) => [
    ...noticed(facts),
    "Usted elige en la aplicación sobre qué le escribimos: vaya a la cuenta (Account) y después a los avisos (Notices).",
    crisisLine.es
  ]
}
