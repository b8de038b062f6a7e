import { counted } from "../../Moments.ts"
import type { OwnWords } from "./English.ts"

const notNone = "Si algo falta, no lo lea como «ninguno»."

const notSame = "Eso no es lo mismo que «ninguno»."

export const spanish: OwnWords = {
  inEnglish: "Su expediente del VA está en inglés. Mostramos los nombres y los textos del VA como el VA los escribió.",
  title: "Mi expediente",
  opening: "Abriendo su expediente",
  search: "Buscar",
  none: "Todavía no hay expediente.",
  first: "Traer mi expediente del VA",
  back: "Volver a mi expediente",
  closed: "Su expediente se cerró. Ya no está en este teléfono.",
  openAgain: "Abrir de nuevo",
  tooLarge: {
    title: "Su expediente es más grande de lo que cabe en esta página",
    text: `No se muestra todo. ${notNone}`
  },
  gaps: {
    title: (count) => count === 1 ? "1 tipo no está completo" : `${count} tipos no están completos`,
    text: `${notNone} Los proveedores ven la misma advertencia.`,
    which: "Ver cuáles"
  },
  reading: (read, all) => `${read} de ${all}, sigue cargando`,
  kinds: {
    all: "Todo mi expediente",
    results: "Resultados",
    documents: "Notas e informes médicos",
    patient: "Sobre mí"
  },
  vaccines: ["vacuna", "vacunas"],
  notes: ["nota o informe", "notas e informes"],
  procedures: ["procedimiento", "procedimientos"],
  onFile: (count) => `${count} en el expediente.`,
  last: "Lo último:",
  card: {
    vaNone: "El VA no tiene",
    late: (day) => `${day === undefined ? "" : `Es del ${day}. `}La última actualización no terminó.`,
    part: `Solo llegó una parte del VA. ${notNone}`,
    notAllLoaded: (name) => `${name}: no se pudo cargar todo aquí. No lo lea como «ninguno».`,
    which: (name, past, hasOthers) => `${hasOthers ? "más " : ""}${name.toLowerCase()}${past ? " vigentes" : ""}`,
    missing: `No pudimos obtener esto del VA. ${notSame}`,
    incomplete: (which) => `Del VA no llegaron ${which}. ${notSame}`,
    old: (which, day) =>
      `El VA no tenía ${which}${day === undefined ? "" : ` el ${day}`}. Es posible que haya cambiado.`,
    empty: (which, day) => `El VA no tiene ${which} en el expediente${day === undefined ? "" : `, al ${day}`}.`,
    problems: "Problemas de salud",
    noDose: "El VA no dio la dosis",
    noRanges: "El VA no envió valores normales.",
    allOwn: (count) => `Ver todo lo mío: ${count}`
  },
  item: {
    gone: "Esto no está aquí",
    goneWhy: "Es posible que haya cambiado con su última actualización.",
    allOf: (kind) => `Ver todo: ${kind.toLowerCase()}`,
    vaCallsIt: "El VA lo llama:",
    keptBack: "No se muestra a otros, a menos que usted lo permita",
    details: "Detalles",
    mistake: "El VA marcó esto como un error.",
    narrative: "Mostrar el texto que escribió el VA",
    source: "Mostrar el texto de origen",
    sourceName: "Texto de origen",
    read: "Leer",
    longText: "Este es el comienzo de un texto largo. Descárguelo para ver el resto."
  },
  list: {
    noDate: "Sin fecha",
    more: (count) => `Mostrar ${count} más`,
    nothing: "Nada coincide con esta búsqueda.",
    all: "Todo",
    howEach: "Qué tan completo está cada tipo"
  },
  else: {
    title: "Todo lo demás",
    count: (count) => counted(count, "dato"),
    gaps: "Incompleto"
  },
  notesAboutMe: {
    title: "Notas sobre mí",
    none: "Ningún proveedor escribió una nota aquí.",
    older: "Mostrar notas anteriores"
  },
  complete: {
    title: "Qué tan completo está",
    all: "Todos los tipos están completos.",
    gaps: (count) => `${count === 1 ? "1 tipo no está completo" : `${count} tipos no están completos`}. ${notNone}`,
    providers: "Los proveedores ven las mismas advertencias.",
    meanings: "Qué quieren decir las palabras",
    upToDate: "El VA nos dio todo en la última actualización.",
    asOf: { word: "Al (una fecha)", meaning: "El VA nos dio todo ese día, hace más de una semana." },
    vaNone: "El VA nos dijo que no tiene nada de este tipo.",
    incomplete: "El VA nos dio solo una parte. Lo que falta no es lo mismo que «ninguno».",
    old: "La última actualización no terminó. Usted ve lo que nos dio una anterior.",
    missing: `No pudimos obtenerlo del VA. ${notSame}`,
    heads: {
      kind: "Tipo",
      state: "Estado",
      items: "Datos",
      complete: "Última actualización completa",
      lastTry: "Último intento"
    },
    never: "Nunca"
  },
  own: {
    title: "Mis propias palabras",
    seen: "Los proveedores ven que lo escribió usted.",
    seenAll: "Los proveedores con quienes lo comparte ven que lo escribió usted.",
    none: "Todavía no hay nada aquí. Anote aquí las medicinas que le dan otros médicos.",
    add: "Añadir mis propias palabras",
    all: (count) => `Ver, añadir y cambiar todo: ${count}`,
    change: "Cambiar",
    changeOne: (text) => `Cambiar: ${text}`,
    remove: "Quitar",
    removeOne: (text) => `Quitar: ${text}`,
    saved: "Guardado.",
    removed: "Se quitó.",
    categories: {
      symptom: ["Síntoma", "Síntomas"],
      medication: ["Medicina que tomo", "Medicinas que tomo"],
      allergy: ["Alergia", "Alergias"],
      vital: ["Medición", "Mediciones"],
      note: ["Nota", "Notas"]
    }
  },
  form: {
    change: "Cambiar mis palabras",
    toMend: (count) => counted(count, "cosa por corregir", "cosas por corregir"),
    what: "¿Qué es?",
    text: "En mis propias palabras",
    day: "Día",
    dayHint: "El día de que se trata. Si no lo sabe, déjelo vacío.",
    full: () => ({
      title: "Esto no se puede añadir",
      text: "Aquí no hay lugar para más. Quite lo que ya no necesita, o pregunte al operador del servicio."
    }),
    save: "Guardar",
    saving: "Guardando",
    cancel: "Cancelar",
    noWhat: "Elija qué es.",
    noText: "Escríbalo en sus propias palabras.",
    shorter: (letters) => `Quite ${letters}.`,
    wholeDay: "Escriba la fecha completa, o déjela vacía."
  },
  removing: {
    title: "¿Quitar esto?",
    text: "Los proveedores ya no lo ven. No podemos recuperar lo que leyeron, imprimieron o guardaron.",
    keep: "Conservarlo"
  },
  plain: {
    "acute bronchitis": "Bronquitis aguda",
    "acute myocardial infarction": "Ataque al corazón",
    "allergic rhinitis": "Alergia nasal",
    "benign prostatic hyperplasia": "Próstata agrandada",
    "cerebrovascular accident": "Derrame cerebral",
    "chronic obstructive pulmonary disease": "Enfermedad pulmonar crónica (EPOC)",
    "congestive heart failure": "Insuficiencia del corazón",
    "diabetes mellitus type 2": "Diabetes tipo 2",
    "essential hypertension": "Presión arterial alta",
    "gastroesophageal reflux disease": "Reflujo ácido",
    hyperlipidemia: "Colesterol o grasas altas en la sangre",
    hypertension: "Presión arterial alta",
    hypothyroidism: "Tiroides poco activa",
    "laceration of thigh": "Corte en el muslo",
    "myocardial infarction": "Ataque al corazón",
    osteoarthritis: "Artritis por desgaste",
    "osteoarthritis of hip": "Artritis por desgaste en la cadera",
    "osteoarthritis of knee": "Artritis por desgaste en la rodilla",
    "posttraumatic stress disorder": "Estrés postraumático (TEPT)",
    "seasonal allergic rhinitis": "Alergia al polen"
  }
}
