import { crisisLine } from "../../domain/CrisisLine.ts"
import { html } from "../../services/platform/Html.ts"
import type { PageWords } from "./PageWords.en.ts"

const nothingShared = "No se compartió nada."

const consentTab = "la pestaña de consentimiento (Consent) de la aplicación donde se guardan sus registros médicos"

/** Spanish as it is spoken in the United States, in the formal "usted". */
export const spanish: PageWords = {
  name: "Español",
  error: (title) => `Error: ${title}`,
  footer: "Este no es un sitio web del VA.",
  crisisLine: crisisLine.es,
  privacyOf: (app) => `Política de privacidad de ${app}`,
  leave: "Cancelar y volver",
  email: {
    title: (app) => `${app} pide leer sus registros`,
    why:
      "Primero comprobamos que es usted: enviamos un código a su correo electrónico. No se comparte nada hasta que usted vea lo que pide la aplicación y lo permita.",
    label: "Correo electrónico",
    hint: "El que usa en la aplicación donde se guardan sus registros.",
    send: "Enviarme un código",
    back: (place) => `Al terminar, usted vuelve a ${place}.`
  },
  code: {
    title: "Escriba su código",
    sent: (digits, minutes) =>
      `Si aquí hay un registro con su dirección, le enviamos un código de ${digits} dígitos. El código sirve durante ${minutes} minutos. Deje esta página abierta.`,
    label: (digits) => `Código de ${digits} dígitos`,
    go: "Continuar",
    again: "¿No llegó el correo? Enviar otro código",
    junk:
      "Busque primero en la carpeta de correo no deseado: el asunto no muestra el código. Un código nuevo reemplaza al anterior.",
    sendAgain: "Enviar otro código",
    unseen: (app) => `${app} no ve su correo electrónico ni este código.`
  },
  consent: {
    title: (app) => `¿Qué puede leer ${app}?`,
    of: (callSign) => html`Pide los registros de ${callSign}. Desmarque lo que no quiere compartir.`,
    kinds: "Tipos de información",
    groups: {
      allergies: "Alergias y reacciones",
      problems: "Problemas de salud e historia familiar",
      medicines: "Medicinas y vacunas",
      results: "Resultados de pruebas y signos vitales",
      visits: "Visitas, procedimientos y dispositivos",
      documents: "Documentos, notas y planes de atención",
      people: "Personas y lugares de su atención",
      person: "Sus datos personales y su seguro",
      other: "Otras partes de sus registros",
      documentsAndOther: "Documentos, notas, planes de atención y otras partes"
    },
    types: {
      AllergyIntolerance: "Alergias",
      AdverseEvent: "Malas reacciones a la atención",
      Condition: "Problemas de salud",
      FamilyMemberHistory: "Historia familiar",
      ClinicalImpression: "Lo que opinan sus médicos",
      DetectedIssue: "Advertencias, como medicinas que no deben combinarse",
      Flag: "Alertas en su expediente",
      RiskAssessment: "Cálculos de riesgo",
      MedicationRequest: "Recetas",
      MedicationStatement: "Medicinas que usted toma",
      MedicationDispense: "Medicinas entregadas por la farmacia",
      MedicationAdministration: "Medicinas que le dieron",
      Medication: "De qué están hechas las medicinas",
      Immunization: "Vacunas",
      ImmunizationEvaluation: "Si las vacunas funcionaron",
      ImmunizationRecommendation: "Vacunas que debe recibir",
      Observation: "Resultados de laboratorio y signos vitales",
      DiagnosticReport: "Informes de pruebas",
      ImagingStudy: "Radiografías y otras imágenes",
      Specimen: "Muestras analizadas",
      BodyStructure: "Partes del cuerpo examinadas",
      MolecularSequence: "Pruebas genéticas",
      Encounter: "Visitas y estancias en el hospital",
      EpisodeOfCare: "Períodos de atención",
      Appointment: "Citas",
      AppointmentResponse: "Respuestas a citas",
      Procedure: "Procedimientos y cirugías",
      Device: "Dispositivos, como implantes",
      DeviceUseStatement: "Dispositivos que usted usa",
      DeviceMetric: "Ajustes de dispositivos",
      DocumentReference: "Notas y documentos",
      DocumentManifest: "Listas de documentos",
      Composition: "Resúmenes y cartas",
      Binary: "Archivos adjuntos",
      Media: "Fotos y grabaciones",
      CarePlan: "Planes de atención",
      Goal: "Metas de su atención",
      ServiceRequest: "Órdenes médicas y referidos",
      DeviceRequest: "Órdenes de dispositivos",
      SupplyRequest: "Pedidos de suministros",
      SupplyDelivery: "Suministros entregados",
      NutritionOrder: "Dietas",
      VisionPrescription: "Lentes y lentes de contacto",
      RequestGroup: "Grupos de órdenes",
      Task: "Tareas de su equipo de atención",
      Communication: "Mensajes",
      CommunicationRequest: "Mensajes solicitados",
      Questionnaire: "Preguntas de formularios",
      QuestionnaireResponse: "Sus respuestas en formularios",
      Consent: "Sus consentimientos",
      List: "Listas",
      Provenance: "De dónde vienen los datos",
      Basic: "Otras anotaciones",
      Practitioner: "Médicos y otro personal",
      PractitionerRole: "Qué hace el personal, y dónde",
      CareTeam: "Su equipo de atención",
      Organization: "Hospitales y clínicas",
      OrganizationAffiliation: "Cómo colaboran hospitales y clínicas",
      Location: "Lugares de atención",
      HealthcareService: "Servicios de hospitales y clínicas",
      Patient: "Su nombre, fecha de nacimiento y dirección",
      RelatedPerson: "Familiares y otras personas que le ayudan",
      Person: "Personas",
      Coverage: "Cobertura del seguro",
      CoverageEligibilityRequest: "Preguntas a su seguro",
      CoverageEligibilityResponse: "Respuestas de su seguro",
      Claim: "Reclamaciones al seguro",
      ClaimResponse: "Respuestas a reclamaciones",
      ExplanationOfBenefit: "Estados de cuenta del seguro",
      Account: "Cuentas",
      ChargeItem: "Cargos",
      Invoice: "Facturas"
    },
    categories: {
      assessmentAndPlan: "evaluación y plan",
      healthConcern: "preocupación de salud",
      careWish: "deseo sobre la atención",
      memoryAndThinking: "memoria y pensamiento",
      disability: "discapacidad",
      dailyActivities: "actividades diarias",
      livingConditions: "condiciones de vida",
      treatmentWish: "deseo sobre el tratamiento",
      clinicalNote: "nota clínica",
      radiology: "radiología",
      cardiology: "cardiología",
      pathology: "patología",
      laboratory: "laboratorio",
      imaging: "imágenes",
      surgery: "cirugía",
      counseling: "consejería",
      education: "educación",
      visitDiagnosis: "diagnóstico de una visita",
      problemList: "lista de problemas",
      activity: "actividad",
      exam: "examen",
      procedure: "procedimiento",
      socialHistory: "historia social",
      survey: "encuesta",
      therapy: "terapia",
      vitalSigns: "signos vitales"
    },
    only: (categories) => `Solo lo marcado como ${categories}`,
    details: "Qué incluye",
    later:
      "Mientras todas las casillas estén marcadas, la aplicación también lee otros tipos que se agreguen después a sus registros. Si desmarca una, lee solo los tipos marcados.",
    protected: "Información con protección especial",
    protectedWhy:
      "La ley federal (38 U.S.C. 7332) protege esta información más que el resto. No se comparte a menos que usted la marque. La lista es igual para todos: no dice nada sobre sus registros.",
    sensitive: {
      drug_abuse: "Abuso de drogas",
      alcohol_abuse: "Alcoholismo o abuso de alcohol",
      hiv: "Infección por el virus de la inmunodeficiencia humana (VIH)",
      sickle_cell: "Anemia falciforme"
    },
    protectedLimits:
      "La buscamos por códigos y palabras. No podemos mirar dentro de fotos, documentos escaneados y archivos PDF, así que una parte puede compartirse de todos modos.",
    howLong: "Por cuánto tiempo",
    oneHour: (app) => `Una hora. Después, ${app} tiene que pedírselo de nuevo.`,
    days: (days) => days === 365 ? "1 año" : `${days} días`,
    goodToKnow: "Bueno saber",
    consequences: (app) => [
      `Puede terminar esto en cualquier momento, en ${consentTab}. Desde entonces ${app} no lee nada más.`,
      `Terminarlo no deshace lo que ya se leyó. ${app} puede conservarlo y compartirlo con otros, y es posible que las reglas federales de privacidad ya no lo protejan.`,
      "Usted decide. Su tratamiento, sus pagos y sus beneficios no dependen de esto.",
      `${app} puede leer sus registros pero no cambiarlos. No ve los documentos que usted subió ni nada de lo que usted escribió.`
    ],
    deny: "No permitir",
    allow: "Permitir",
    back: (place) => `En los dos casos, usted vuelve a ${place}.`
  },
  problems: {
    assertion: "Su aplicación no pudo decir quién es usted. Escriba su correo electrónico.",
    email: "Escriba su correo electrónico, por ejemplo nombre@example.org.",
    limited: (wait) => `Ahora no se pueden enviar más códigos. Espere ${wait}.`,
    code: (attemptsLeft) =>
      `Ese código no es correcto o ya no sirve. Le ${
        attemptsLeft === 1 ? "queda 1 intento" : `quedan ${attemptsLeft} intentos`
      }.`,
    nothing: "Marque al menos un tipo de información, o elija No permitir.",
    boxes: "Elija entre las casillas que se muestran.",
    days: (choices) => `Elija por cuánto tiempo: ${choices} días.`,
    decision: "Elija Permitir o No permitir."
  },
  endings: {
    unknownApp: {
      title: "No conocemos esta aplicación",
      words: [
        "La aplicación que le envió aquí no está registrada con nosotros, o quiere que usted vuelva a una dirección que no lo está.",
        `${nothingShared} Cierre esta página y avise a quienes hacen la aplicación.`
      ]
    },
    ended: (minutes) => ({
      title: "Esta solicitud terminó",
      words: [
        `Pasaron más de ${minutes} minutos, usted ya respondió o se escribieron demasiados códigos incorrectos.`,
        "Vuelva a la aplicación y conéctese de nuevo si todavía quiere."
      ]
    }),
    foreign: {
      title: "Esta solicitud comenzó en otro lugar",
      words: [
        `Usted puede responder a una solicitud solo en nuestras páginas, en el navegador donde comenzó. ${nothingShared}`,
        "Vuelva a la aplicación y conéctese de nuevo. Si su navegador bloquea las cookies, permítalas para este sitio."
      ]
    },
    full: {
      title: "Hay demasiadas conexiones",
      words: [
        `Usted ya comparte con el máximo de aplicaciones y proveedores, o el máximo de veces con esta aplicación. ${nothingShared}`,
        `Termine una conexión primero, en ${consentTab}. Después, conéctese de nuevo.`
      ]
    },
    deleting: {
      title: "Sus registros se borrarán pronto",
      words: [
        `Usted pidió que borremos sus registros, así que no se puede conectar ninguna aplicación. ${nothingShared}`,
        "¿Cambió de opinión? Abra la aplicación donde se guardan sus registros, cancele el borrado y conéctese de nuevo."
      ]
    },
    enough: (wait) => ({
      title: "Es suficiente por hoy",
      words: [
        `Se conectaron tantas aplicaciones, o se compartió tanto, que hoy no se puede agregar nada más. ${nothingShared}`,
        `Intente de nuevo en ${wait}: vuelva a la aplicación y conéctese otra vez. Todavía puede terminar lo que comparte, en ${consentTab}.`
      ]
    }),
    crowded: (wait) => ({
      title: "Demasiados intentos",
      words: [`Espere ${wait}, luego vuelva atrás e intente de nuevo. ${nothingShared}`]
    }),
    unavailable: {
      title: "No podemos responder en este momento",
      words: [
        `Algo que nuestro servicio necesita no responde. ${nothingShared}`,
        "Espere un momento, luego vuelva atrás e intente de nuevo."
      ]
    },
    broken: {
      title: "Algo salió mal de nuestro lado",
      words: [`${nothingShared} Vuelva a la aplicación y conéctese de nuevo.`]
    },
    unreadable: {
      title: "No se puede leer esta solicitud",
      words: [`Lo que envió su navegador no es lo que envían nuestras páginas. ${nothingShared}`]
    }
  }
}
