import type { ConfirmWords } from "./English.ts"

export const spanish: ConfirmWords = {
  title: "Confirme que es usted",
  why: "Este paso necesita una prueba de que sigue siendo usted.",
  installed:
    "Si el VA se abre en un navegador que no lo conoce, use aquí su cara o su huella. O haga este paso en ese navegador.",
  byPasskey: "Usar la cara o la huella",
  byVa: "Iniciar sesión en el VA en una ventana nueva",
  cancel: "Cancelar",
  waiting: "Inicie sesión en el VA en la otra ventana. Después, vuelva: esta ventana sigue sola.",
  going: "Vamos al VA",
  checking: "Comprobamos su inicio de sesión",
  again: "Iniciar sesión en el VA",
  done: "Confirmado. Puede cerrar esta ventana.",
  goesOn: "La ventana donde empezó sigue sola.",
  elsewhere: "No puede confirmar aquí, porque aquí no ha iniciado sesión. Cierre esta ventana y vuelva a la otra."
}
