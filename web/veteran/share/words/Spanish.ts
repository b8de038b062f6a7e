import type { ShareWords } from "./English.ts"

export const spanish: ShareWords = {
  steps: ["Quién", "Qué", "Protegido", "Hasta", "Revisar"],
  next: "Continuar",
  back: "Atrás",
  home: "Inicio",
  lengths: (days) => days === 7 ? "1 semana" : days === 1 ? "1 día" : `${days} días`,
  who: {
    heading: "¿Con quién quiere compartir?",
    legend: "¿La clínica tiene un código?",
    ways: {
      invitation: {
        choice: "El código de la clínica",
        label: "Código de la clínica",
        hint: "10 letras y números, en una hoja en la recepción.",
        wrong: "Escriba las 10 letras y números del código.",
        none: "No hay nadie con ese código. Pida uno nuevo a la clínica."
      },
      email: {
        choice: "Su correo",
        label: "Correo electrónico",
        hint: "La dirección completa que usan aquí.",
        wrong: "Escriba la dirección completa, por ejemplo nombre@example.org.",
        none: "No hay nadie con ese correo. Pregunte a la clínica cuál usan."
      },
      npi: {
        choice: "Su NPI",
        label: "NPI",
        hint: "Número nacional de proveedor, de 10 dígitos.",
        wrong: "Ese no es un NPI. Revise los 10 dígitos.",
        none: "No hay nadie con ese NPI. Pida a la clínica su correo o su código."
      }
    },
    find: "Buscar",
    which: "¿Cuál de ellos?",
    choose: "Elija uno de ellos.",
    found: (name) => `Encontrado: ${name}`,
    several: (count) => `Encontramos ${count}. Elija uno.`,
    release: "O envíe un enlace",
    releaseHint: "Usted firma una autorización. Ellos la leen con un enlace, sin iniciar sesión aquí."
  },
  recipient: {
    added: "Lo añadió Veteran Records.",
    scanned: "Usted escaneó el código de esta clínica.",
    typed: "Usted escribió el código de esta clínica."
  },
  what: {
    heading: "¿Qué pueden leer?",
    missing: "Elija al menos un tipo, o todo.",
    fromVa: "Del VA",
    all: "Todo lo del VA (también lo nuevo)",
    some: "Elegir tipos",
    kinds: "Tipos",
    fromMe: "De mí",
    ownWords: "Mis propias palabras",
    ownWordsHint: "Lo que usted escribió aquí. Ellos ven que es suyo.",
    documents: "Mis documentos",
    documentsHint: "Archivos que usted añadió aquí."
  },
  parts: {
    heading: "Partes protegidas",
    text:
      "La ley federal protege estas partes más que el resto. No se comparten si usted no las activa. Todos reciben la misma lista: no dice nada de su expediente.",
    legend: "Compartir también",
    whys: {
      drug_abuse: "Un médico puede necesitarlo para elegir medicinas seguras para el dolor o el sueño.",
      alcohol_abuse: "Un médico puede necesitarlo antes de una cirugía, o para elegir medicinas seguras.",
      hiv: "Un médico puede necesitarlo para elegir medicinas que se puedan combinar.",
      sickle_cell: "Un médico puede necesitarlo en una emergencia, antes de una cirugía, o para tratar el dolor."
    },
    limits: "Lo que esto no puede hacer",
    notFound: "Encontramos estas partes por códigos y por palabras, así que puede faltar alguna.",
    notInside: "No podemos mirar dentro de escaneos, archivos PDF e imágenes de su expediente.",
    notSearched: "No buscamos en sus documentos ni en sus propias palabras."
  },
  until: {
    heading: "¿Hasta cuándo?",
    legend: "Pueden leer durante",
    asNow: (day) => `Como ahora, hasta el ${day}`,
    day: "Hasta un día que yo elijo",
    lastDay: "Último día",
    lastDayHint: "Como máximo un año desde hoy.",
    wrong: "Elija un día desde hoy, como máximo un año desde hoy.",
    why: "¿Para qué es?",
    treatment: "Tratamiento",
    other: "Otra cosa",
    reason: "En sus palabras",
    reasonHint: "Ellos pueden leer esto.",
    reasonMissing: "Diga en pocas palabras para qué es."
  },
  check: {
    heading: "Revise y comparta",
    change: "Cambiar",
    changes: {
      who: "Cambiar con quién",
      what: "Cambiar lo que pueden leer",
      parts: "Cambiar las partes protegidas",
      until: "Cambiar hasta cuándo"
    },
    reads: "Pueden leer",
    all: "Todo lo del VA, también lo nuevo",
    yes: "Sí",
    no: "No",
    shared: "Se comparten:",
    kept: "No se comparten:",
    until: "Hasta",
    why: "Para",
    incomplete: (kinds) => `No está completo: ${kinds}. Se lo diremos.`,
    scans: "No buscamos partes protegidas en escaneos, archivos PDF e imágenes de su expediente.",
    meaning: "Qué significa esto",
    share: "Compartir con",
    stop:
      "Puede dejar de compartir cuando quiera, en Compartir. No podemos recuperar lo que ya se leyó, imprimió o guardó."
  },
  refused: {
    doubt: "No sabemos si se compartió",
    doubtText:
      "El servicio no respondió. Presione el botón otra vez: primero miramos, así que nunca se comparte dos veces.",
    change: "Esto no se cambió",
    changeText: "Puede que ya terminó, o usted comparte con demasiados.",
    many: "Esto no se puede compartir ahora",
    manyText: (all, one) =>
      `Puede compartir con ${all} a la vez, y ${one} veces con cada uno. Primero deje de compartir con uno de ellos.`,
    sharing: "Abrir Compartir",
    mend: "Revise esta parte",
    mendText: "El servicio no pudo aceptar esta parte. Elija otra vez y siga."
  },
  change: {
    heading: "Cambiar o prolongar",
    over: "Esto ya terminó. Puede compartir otra vez.",
    again: "Compartir otra vez"
  },
  done: {
    until: (day) => `puede ver su expediente hasta el ${day}.`,
    text: "Lo encuentra al iniciar sesión. No se envió ningún correo.",
    see: "Ver quién tiene mi expediente"
  }
}
