import type { NoticeFacts } from "../../domain/Notices.ts"
import { serviceName } from "../../domain/ServiceName.ts"
import { dayIn, momentIn } from "../platform/Instants.ts"

const see = `Abra ${serviceName} para verlo.`

/** What a notice tells, in Spanish. */
export const noticed = (facts: NoticeFacts): ReadonlyArray<string> => {
  switch (facts.about) {
    case "look":
      return [
        `Alguien con quien usted comparte, o una aplicación suya, miró sus registros el ${
          momentIn("es", new Date(facts.at))
        }. ${see}`
      ]
    case "ending":
      return [`Uno de sus permisos termina el ${dayIn("es", new Date(facts.at))}. ${see}`]
    case "stale":
      return [
        `Usted comparte sus registros, y se actualizaron por última vez el ${dayIn("es", new Date(facts.at))}.`,
        `Abra ${serviceName} y actualícelos, para que los demás vean lo nuevo.`
      ]
    case "day":
      return [
        ...(facts.looks === 0
          ? []
          : [
            `Las personas con quienes usted comparte, o aplicaciones que usted conectó, miraron sus registros ${
              facts.looks === 1 ? "una vez" : `${facts.looks} veces`
            }. ${see}`
          ]),
        ...(facts.endings === 0 || facts.at === undefined ? [] : [
          facts.endings === 1
            ? `Uno de sus permisos termina el ${dayIn("es", new Date(facts.at))}. ${see}`
            : `${facts.endings} de sus permisos terminan pronto, el primero el ${
              dayIn("es", new Date(facts.at))
            }. Abra ${serviceName} para verlos.`
        ])
      ]
  }
}
