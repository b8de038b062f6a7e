import type { PasskeyWords } from "./English.ts"

export const spanish: PasskeyWords = {
  open: "Abrir con la cara o la huella",
  opening: "Esperamos su cara, su huella o su bloqueo de pantalla",
  unknown: "Esta llave de acceso ya no se conoce aquí. Inicie sesión en el VA.",
  title: "Cara o huella",
  why:
    "La próxima vez, abra esta aplicación con su cara, su huella o su bloqueo de pantalla. No necesita una contraseña.",
  safe: "Su cara y su huella se quedan en su dispositivo. Nosotros nunca las vemos.",
  shared:
    "Toda persona que pueda desbloquear este dispositivo podrá abrir su expediente. No lo active en un dispositivo compartido.",
  none: "Todavía no lo ha activado.",
  name: "Nombre, para que lo reconozca",
  add: "Activar en este dispositivo",
  added: "Está activado. La próxima vez, use su cara o su huella.",
  noWebAuthn: "Este navegador no puede usar aquí la cara o la huella. Use otro navegador, como Chrome o Safari.",
  most: (count) => `Tiene ${count}, que es el máximo. Quite una que no necesite.`,
  made: (day) => `Activado el ${day}`,
  used: (day) => `Usado por última vez el ${day}`,
  unused: "Sin usar todavía",
  unnamed: "Sin nombre",
  remove: "Quitar",
  removeOf: (name) => `Quitar ${name}`,
  removeTitle: (name) => `¿Quitar «${name}»?`,
  removeWhat:
    "Ya no podrá abrir su expediente. Un dispositivo que tiene la sesión abierta la mantiene: ciérrela en «Dónde inicié sesión».",
  keep: "Conservar",
  removed: (name) => `«${name}» se quitó.`,
  offer: {
    title: "La próxima vez, use su cara o su huella",
    setUp: "Activar",
    notNow: "Ahora no",
    later: "Puede activarlo después en Cuenta."
  },
  problems: {
    passkey_known: "Este dispositivo ya está activado.",
    passkey_unmade: "El navegador no pudo hacerlo. Inténtelo otra vez o use otro navegador.",
    invalid_device_proof:
      "No se pudo comprobar su inicio de sesión. Revise el reloj de este dispositivo e inténtelo otra vez.",
    key_unkept: "Este navegador no puede guardar la clave que abre su sesión. Use una ventana que no sea privada."
  }
}
