import { counted } from "../../Moments.ts"
import type { UpdateWords } from "./English.ts"

const kinds = (count: number) => counted(count, "tipo")

const items = (count: number) => counted(count, "dato")

export const spanish: UpdateWords = {
  kinds,
  newKinds: (count) => count === 1 ? "1 tipo es nuevo." : `${kinds(count)} son nuevos.`,
  steps: {
    open: "Sin empezar",
    loading: "Cargando",
    paused: "Esperando al VA",
    sending: "Enviando",
    complete: "Listo",
    empty: "Nada registrado",
    partial: "Incompleto",
    unavailable: "No se pudo cargar",
    refused: "Incompleto"
  },
  causes: {
    unauthorized: "El VA no nos dejó leer este tipo",
    limited: "El VA limita qué tan rápido podemos pedir",
    refused: "El VA no nos dio este tipo",
    unreachable: "El VA no respondió",
    slow: "El VA tardó demasiado en responder",
    unreadable: "No pudimos leer la respuesta del VA",
    lacking: "El VA no envió todas las páginas",
    large: "Este tipo es demasiado grande para enviarlo de una vez",
    unkept: "El VA envió datos que no podemos leer"
  },
  large: {
    older: (cause) => `${cause}; guardamos su lista anterior.`,
    part: (cause) => `${cause}; falta una parte.`
  },
  older: (cause) => `${cause}. Guardamos su lista anterior.`,
  part: (cause) => `${cause}. Lo que llegó está aquí.`,
  ended: (kind, step, count) => `${kind}: ${step.toLowerCase()}${count === undefined ? "" : `, ${items(count)}`}.`,
  shared: {
    title: (count) => `${kinds(count)} con el mismo motivo`,
    allOlder: "Guardamos sus listas anteriores.",
    someOlder: (count) => `Guardamos sus listas anteriores de ${kinds(count)}.`
  },
  before: {
    title: "Actualizar su expediente",
    text: "Primero inicia sesión en el VA. Después la actualización empieza aquí.",
    signIn: "Iniciar sesión en el VA",
    goOn: "Continuar",
    unfinished: "Su última actualización no terminó."
  },
  running: {
    title: "Actualizando su expediente",
    keepOpen: "Deje esta página abierta.",
    staysOn: "Su pantalla se queda encendida.",
    keepOn: "Mantenga la pantalla encendida.",
    sent: "Si la detiene, lo que ya se envió se queda aquí.",
    progress: "Avance",
    loaded: (count) => count === 1 ? "1 dato cargado" : `${items(count)} cargados`,
    starting: "Empezando",
    done: (done, all) => all === 1 ? `${done} de 1 tipo está listo.` : `${done} de ${kinds(all)} están listos.`,
    stop: "Detener",
    wait: "El VA nos pide esperar",
    limit: "El VA limita qué tan rápido podemos pedir.",
    goOn: ["Continuamos en", "."],
    list: "Tipos"
  },
  end: {
    elsewhere: "Hay una actualización en otra ventana.",
    stopped: "Actualización detenida",
    sent: "Lo que ya se envió se queda aquí.",
    vaOver: "Inicie sesión en el VA otra vez",
    vaOverText: "Su sesión en el VA terminó. Iníciela de nuevo, y la actualización continúa.",
    failed: "La actualización no terminó",
    updated: "Actualizado",
    all: (count) =>
      count === 1 ? "Actualizado. El tipo está completo." : `Actualizado. Los ${kinds(count)} están completos.`,
    some: (complete, all) => `Actualizado. ${complete} de ${kinds(all)} están completos.`,
    see: "Ver su expediente",
    heldBack: "El VA retiene las notas y los resultados nuevos por algunas horas.",
    incomplete: "Incompleto",
    incompleteList: "Tipos que no están completos",
    complete: "Completo",
    completeList: "Tipos que están completos"
  }
}
