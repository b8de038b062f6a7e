import { withoutTimes } from "../../../../src/clinical/DateText.ts"
import type { RecordWords } from "./English.ts"
import { spanishTerms } from "./SpanishTerms.ts"

const number = (count: number) => count.toLocaleString("es-US")

const items = (count: number) => count === 1 ? "1 dato" : `${number(count)} datos`

const turns = { up: "el último subió", down: "el último bajó", "the same": "el último sin cambio" }

/** The words between the dates of `src/clinical/DateText.ts`. */
const between = (text: string) =>
  text.replace(/^since /, "desde ").replace(/^until /, "hasta ").replaceAll(" to ", " a ")

/** An interpretation has its code behind it: `High (H)`. */
const oneTerm = (text: string): string | undefined => {
  const [, words, code] = /^(.+?) (\([A-Z]{1,3}\))$/.exec(text) ?? []
  if (words !== undefined && Object.hasOwn(spanishTerms, words)) return `${spanishTerms[words]} ${code}`
  return Object.hasOwn(spanishTerms, text) ? spanishTerms[text] : undefined
}

/** Several statuses stand in one text: `Active, Confirmed`. */
const term = (text: string): string | undefined => {
  const known = oneTerm(text)
  if (known !== undefined) return known
  const parts = text.length > 200 ? [] : text.split(", ").map(oneTerm)
  return parts.length > 1 && !parts.includes(undefined) ? parts.join(", ") : undefined
}

/** The words of a record's parts in Spanish. What the source wrote stays in English, and is marked so. */
export const spanish: RecordWords = {
  days: {
    tag: "es-US",
    months: ["ene", "feb", "mar", "abr", "may", "jun", "jul", "ago", "sep", "oct", "nov", "dic"],
    day: (month, day, year) => `${day} ${month} ${year}`,
    between
  },
  ofSource: "en-US",
  term,
  since: ({ label, text }) => {
    const days = withoutTimes(text)
    if (label === "Onset" && /^\d{4}(?:-\d\d){0,2}$/.test(days)) return `desde ${days}`
    return `${(oneTerm(label) ?? label).toLowerCase()}: ${between(days)}`
  },
  noDate: "Sin fecha",
  noDateWithin: "sin fecha",
  loading: "Sigue cargando",
  notAllLoaded: "No se cargó todo",
  standings: {
    none: "Al día",
    current: "Al día",
    late: "Puede estar desactualizado",
    old: "Puede estar desactualizado",
    incomplete: "Incompleto",
    outside: "No está en este documento",
    missing: "No se cargó"
  },
  someDates: "Solo algunas fechas",
  asOf: (day) => `Al ${day}`,
  kinds: {
    all: "Todo",
    results: "Resultados y signos vitales",
    allergies: "Alergias",
    problems: "Problemas de salud",
    medications: "Medicinas",
    laboratory: "Resultados de laboratorio",
    "vital-signs": "Signos vitales",
    observations: "Otras observaciones",
    immunizations: "Vacunas",
    procedures: "Procedimientos",
    documents: "Informes y documentos",
    encounters: "Visitas",
    care: "Planes de atención y metas",
    devices: "Dispositivos",
    coverage: "Cobertura del seguro",
    patient: "Sobre el paciente",
    other: "Otros datos",
    "from-the-patient": "Del paciente",
    "shared-documents": "Documentos",
    notes: "Notas"
  },
  cards: {
    allergies: { name: "Alergias", nouns: ["alergia", "alergias"] },
    problems: { name: "Problemas de salud", nouns: ["problema", "problemas"] },
    medications: { name: "Medicinas", nouns: ["anotación de medicinas", "anotaciones de medicinas"] },
    results: { name: "Resultados", nouns: ["resultado", "resultados"] }
  },
  latest: "Últimos resultados",
  vaccineReactions: "Reacciones a vacunas",
  all: (count, [one, several]) => count === 1 ? `Ver 1 ${one}` : `Ver todo: ${number(count)} ${several}`,
  pastToo: ", también lo pasado",
  more: (count) => `y ${number(count)} más que aquí no se muestran`,
  lastSupplied: "Lo último que se entregó o se dio:",
  saying: "El expediente dice:",
  noStatus: "sin estado registrado",
  entries: (count) => `${count} anotaciones`,
  showLess: "Mostrar menos",
  showWhole: "Mostrar todo el texto",
  written: (day) => `escrito el ${day}`,
  about: "aproximadamente",
  exactly: (figure) => `(exactamente ${figure})`,
  results: {
    test: "Prueba",
    value: "Valor",
    trend: "Tendencia",
    range: "Normal:",
    trendOf: (words) => `Tendencia: ${words}`,
    noneListed: (all) =>
      `${all === 1 ? "El único resultado no es" : `Ninguno de los ${number(all)} resultados es`} ` +
      "una prueba principal, un resultado de laboratorio o un signo vital con valor. Vea todos los datos.",
    noTrend: "Sin tendencia",
    oneValue: "1 valor",
    spark: ({ count, high, isNewest, isPressure, last, low }) =>
      `${isNewest ? "los " : ""}${count} valores${isPressure ? " sistólicos" : ""}${
        isNewest ? " más recientes" : ""
      }, ${low === high ? `todos ${low}` : `de ${low} a ${high}`}, ${turns[last]}`
  },
  filter: {
    search: "Buscar por nombre (en inglés) o valor",
    kinds: "Tipos de datos",
    kind: "Tipo",
    from: "Desde la fecha",
    to: "Hasta la fecha",
    some: "Solo algunos datos",
    active: "Solo lo activo",
    inWords: {
      search: (query) => `búsqueda «${query}»`,
      from: (day) => `desde el ${day}`,
      to: (day) => `hasta el ${day}`,
      activeOfAll: "solo alergias, problemas y medicinas que están activos",
      active: "solo lo activo",
      isNew: (since) => since === null ? "lo nuevo o cambiado" : `lo nuevo o cambiado desde el ${since}`
    }
  },
  list: {
    only: (filter) => `Solo: ${filter}.`,
    sorted: (order) => `Orden: ${order}.`,
    sortings: {
      oldest: "lo más antiguo primero",
      name: "por nombre, de la A a la Z",
      nameDown: "por nombre, de la Z a la A",
      kind: "por tipo",
      kindDown: "por tipo, el último primero"
    },
    reset: "Mostrar todo, lo más reciente primero",
    count: (count, all, isFiltered) => `${isFiltered ? `${number(count)} de ` : ""}${items(all)}`,
    stillLoading: ", sigue cargando",
    undated: (count) =>
      count === 1
        ? "1 dato no tiene fecha y no está en esta lista."
        : `${number(count)} datos no tienen fecha y no están en esta lista.`,
    printed: (printed, count) =>
      `Aquí solo se imprimen los primeros ${number(printed)} de ${number(count)} datos. ` +
      "Busque o elija un tipo para imprimir otros."
  },
  item: {
    kind: "Tipo",
    status: "Estado",
    code: "Código",
    files: "Archivos",
    download: "Descargar",
    textOf: (title) => `Texto de ${title}`,
    copy: "Copiar el texto de origen",
    copied: "Copiado.",
    notCopied: "Este navegador no nos deja copiar. Seleccione el texto y cópielo.",
    beginning: (isSaved) =>
      `Esto es solo el comienzo. ${
        isSaved ? "Guarde el expediente" : "Copie el texto de origen"
      } para tenerlo completo.`
  },
  outside: {
    about: "Esta página viene de fuera. Sus enlaces e imágenes están desactivados.",
    beginning: "Este es el comienzo de una página larga. Descárguela para ver el resto."
  },
  trend: {
    heading: "Tendencia",
    drawing: "Dibujando la tendencia",
    notDrawn: "Ahora no se pudo dibujar la tendencia.",
    of: (title) => `Tendencia de ${title}`,
    oneValue: "Solo hay un valor.",
    values: (count, unit, from, to) =>
      `${number(count)} valores${unit === "" ? "" : ` en ${unit}`}, del ${from} al ${to}.`,
    twoLines: "La línea de arriba es la sistólica; la de abajo, la diastólica.",
    others: (count) =>
      `${count === 1 ? "1 resultado no está" : `${number(count)} resultados no están`} ` +
      "en la línea: otra unidad, sin número exacto o sin fecha.",
    inTable: "Están en la tabla.",
    show: "Mostrar los valores en una tabla",
    table: "Valores de la tendencia",
    date: "Fecha",
    value: "Valor",
    notInLine: "(no está en la línea)",
    newest: (count) => `Estos son los ${count} valores más recientes.`,
    below: (label) => `${label}. Los valores están en la tabla de abajo.`
  }
}
