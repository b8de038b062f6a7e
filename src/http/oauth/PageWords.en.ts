import { consentTab } from "../../domain/ConsentTab.ts"
import { crisisLine } from "../../domain/CrisisLine.ts"
import { categoryNames } from "../../domain/ReleaseStatements.ts"
import type { SensitiveCategory } from "../../domain/SensitiveCategory.ts"
import type { GroupName, NamedType } from "../../services/oauth/ConsentKinds.ts"
import type { CategoryName } from "../../services/oauth/ScopeCategories.ts"
import { type Html, html } from "../../services/platform/Html.ts"

const sensitive: Readonly<Record<SensitiveCategory, string>> = categoryNames

const nothingShared = "Nothing was shared."

/** Every word of the consent pages. */
export const english = {
  /** The language's name, for the link that switches to it. */
  name: "English",
  error: (title: string) => `Error: ${title}`,
  footer: "This is not a VA website.",
  crisisLine: crisisLine.en,
  privacyOf: (app: string) => `Privacy policy of ${app}`,
  leave: "Cancel and go back",
  email: {
    title: (app: string) => `${app} asks to read your records`,
    why:
      "First we make sure that it is you: we send a code to your e-mail address. Nothing is shared until you have seen what the app wants and have allowed it.",
    label: "E-mail address",
    hint: "The one that you use in the app where your records are kept.",
    send: "Send me a code",
    back: (place: string) => `When you are done, you go back to ${place}.`
  },
  code: {
    title: "Enter your code",
    sent: (digits: number, minutes: number) =>
      `If a record here belongs to your address, we have sent it a code of ${digits} digits. The code is good for ${minutes} minutes. Keep this page open.`,
    label: (digits: number) => `${digits}-digit code`,
    go: "Continue",
    again: "No e-mail? Send a new code",
    junk: "Look in your junk folder first: the subject does not show the code. A new code ends the older one.",
    sendAgain: "Send a new code",
    unseen: (app: string) => `${app} does not see your e-mail address or this code.`
  },
  consent: {
    title: (app: string) => `What may ${app} read?`,
    of: (callSign: Html) => html`It asks for the records of ${callSign}. Untick what you want to keep to yourself.`,
    kinds: "Kinds of information",
    groups: {
      allergies: "Allergies and reactions",
      problems: "Health problems and family history",
      medicines: "Medicines and vaccines",
      results: "Test results and vital signs",
      visits: "Visits, procedures and devices",
      documents: "Documents, notes and care plans",
      people: "People and places of your care",
      person: "Your personal details and insurance",
      other: "Other parts of your records",
      documentsAndOther: "Documents, notes, care plans and other parts"
    } satisfies Readonly<Record<GroupName, string>>,
    types: {
      AllergyIntolerance: "Allergies",
      AdverseEvent: "Bad reactions to care",
      Condition: "Health problems",
      FamilyMemberHistory: "Family history",
      ClinicalImpression: "What your doctors think",
      DetectedIssue: "Warnings, such as medicines that do not go together",
      Flag: "Alerts on your chart",
      RiskAssessment: "Estimates of risk",
      MedicationRequest: "Prescriptions",
      MedicationStatement: "Medicines that you take",
      MedicationDispense: "Medicines handed out by the pharmacy",
      MedicationAdministration: "Medicines given to you",
      Medication: "What the medicines are made of",
      Immunization: "Vaccines",
      ImmunizationEvaluation: "Whether vaccines worked",
      ImmunizationRecommendation: "Vaccines that you should get",
      Observation: "Lab results and vital signs",
      DiagnosticReport: "Test reports",
      ImagingStudy: "X-rays and scans",
      Specimen: "Samples that were tested",
      BodyStructure: "Parts of the body that were looked at",
      MolecularSequence: "Genetic tests",
      Encounter: "Visits and hospital stays",
      EpisodeOfCare: "Times under care",
      Appointment: "Appointments",
      AppointmentResponse: "Answers to appointments",
      Procedure: "Procedures and surgeries",
      Device: "Devices, such as implants",
      DeviceUseStatement: "Devices that you use",
      DeviceMetric: "Settings of devices",
      DocumentReference: "Notes and documents",
      DocumentManifest: "Lists of documents",
      Composition: "Summaries and letters",
      Binary: "Attached files",
      Media: "Pictures and recordings",
      CarePlan: "Care plans",
      Goal: "Goals of your care",
      ServiceRequest: "Orders and referrals",
      DeviceRequest: "Orders for devices",
      SupplyRequest: "Orders for supplies",
      SupplyDelivery: "Supplies that were delivered",
      NutritionOrder: "Diets",
      VisionPrescription: "Glasses and contact lenses",
      RequestGroup: "Groups of orders",
      Task: "Tasks of your care team",
      Communication: "Messages",
      CommunicationRequest: "Messages that were asked for",
      Questionnaire: "Questions on forms",
      QuestionnaireResponse: "Your answers on forms",
      Consent: "Your consents",
      List: "Lists",
      Provenance: "Where the data comes from",
      Basic: "Other entries",
      Practitioner: "Doctors and other staff",
      PractitionerRole: "What the staff does, and where",
      CareTeam: "Your care team",
      Organization: "Hospitals and clinics",
      OrganizationAffiliation: "How hospitals and clinics work together",
      Location: "Places of care",
      HealthcareService: "Services of hospitals and clinics",
      Patient: "Your name, birth date and address",
      RelatedPerson: "Family and others who help you",
      Person: "People",
      Coverage: "Insurance coverage",
      CoverageEligibilityRequest: "Questions to your insurance",
      CoverageEligibilityResponse: "Answers of your insurance",
      Claim: "Insurance claims",
      ClaimResponse: "Answers to insurance claims",
      ExplanationOfBenefit: "Insurance statements",
      Account: "Accounts",
      ChargeItem: "Charges",
      Invoice: "Bills"
    } satisfies Readonly<Record<NamedType, string>>,
    categories: {
      assessmentAndPlan: "assessment and plan",
      healthConcern: "health concern",
      careWish: "wish about care",
      memoryAndThinking: "memory and thinking",
      disability: "disability",
      dailyActivities: "daily activities",
      livingConditions: "living conditions",
      treatmentWish: "wish about treatment",
      clinicalNote: "clinical note",
      radiology: "radiology",
      cardiology: "cardiology",
      pathology: "pathology",
      laboratory: "laboratory",
      imaging: "imaging",
      surgery: "surgery",
      counseling: "counseling",
      education: "education",
      visitDiagnosis: "diagnosis of a visit",
      problemList: "problem list",
      activity: "activity",
      exam: "exam",
      procedure: "procedure",
      socialHistory: "social history",
      survey: "survey",
      therapy: "therapy",
      vitalSigns: "vital signs"
    } satisfies Readonly<Record<CategoryName, string>>,
    only: (categories: string) => `Only what is marked ${categories}`,
    details: "What is in it",
    later:
      "While every box stays ticked, the app also reads other kinds that are added to your records later. Untick one, and it reads the ticked kinds only.",
    protected: "Specially protected information",
    protectedWhy:
      "Federal law (38 U.S.C. 7332) protects these more than the rest. They are left out unless you tick them. The list is the same for everybody: it says nothing about your records.",
    sensitive,
    protectedLimits:
      "We look for these by codes and words. We can't look inside pictures, scans and PDF files, so some may still be shared.",
    howLong: "How long",
    oneHour: (app: string) => `One hour. After that, ${app} has to ask you again.`,
    days: (days: number) => days === 365 ? "1 year" : `${days} days`,
    goodToKnow: "Good to know",
    consequences: (app: string) => [
      `You can end this at any time, on ${consentTab}. From then on ${app} reads nothing more.`,
      `Ending it cannot undo what was read before. ${app} may keep that and pass it on, and federal privacy rules may then no longer protect it.`,
      "It is your choice. Your treatment, payment and benefits do not depend on it.",
      `${app} can read your records but cannot change them. It does not see documents that you uploaded or anything that you wrote yourself.`
    ],
    deny: "Do not allow",
    allow: "Allow",
    back: (place: string) => `Either way you go back to ${place}.`
  },
  problems: {
    assertion: "Your app could not say who you are. Type your e-mail address.",
    email: "Type your e-mail address, such as name@example.org.",
    limited: (wait: string) => `No more codes can be sent just now. Wait ${wait}.`,
    code: (attemptsLeft: number) =>
      `That code is not right, or it no longer works. You have ${attemptsLeft} ${
        attemptsLeft === 1 ? "try" : "tries"
      } left.`,
    nothing: "Tick at least one kind of information, or choose Do not allow.",
    boxes: "Choose among the boxes that are shown.",
    days: (choices: string) => `Choose how long: ${choices} days.`,
    decision: "Choose Allow or Do not allow."
  },
  endings: {
    unknownApp: {
      title: "We do not know this app",
      words: [
        "The app that sent you here is not registered with us, or it wants you to go back to an address that is not.",
        `${nothingShared} Close this page and tell the makers of the app.`
      ]
    },
    ended: (minutes: number) => ({
      title: "This request has ended",
      words: [
        `More than ${minutes} minutes have passed, you have answered already, or too many wrong codes were entered.`,
        "Go back to the app and connect again if you still want to."
      ]
    }),
    foreign: {
      title: "This request began somewhere else",
      words: [
        `You can answer a request only on our own pages, in the browser in which it began. ${nothingShared}`,
        "Go back to the app and connect again. If your browser blocks cookies, allow them for this site."
      ]
    },
    full: {
      title: "There are too many connections",
      words: [
        `You already share with as many apps and providers as possible, or with this app as many times. ${nothingShared}`,
        `End one of them first, on ${consentTab}. Then connect again.`
      ]
    },
    deleting: {
      title: "Your records are about to be deleted",
      words: [
        `You asked us to delete your records, so no app can be connected. ${nothingShared}`,
        "You changed your mind? Open the app where your records are kept, cancel the deletion, and connect again."
      ]
    },
    enough: (wait: string) => ({
      title: "That is enough for today",
      words: [
        `So many apps were connected, or so much was shared, that no more can be added today. ${nothingShared}`,
        `Try again in ${wait}: go back to the app and connect again. You can still end what you share, on ${consentTab}.`
      ]
    }),
    crowded: (wait: string) => ({
      title: "Too many tries",
      words: [`Wait ${wait}, then go back and try again. ${nothingShared}`]
    }),
    unavailable: {
      title: "We cannot answer just now",
      words: [
        `Something that our service needs does not answer. ${nothingShared}`,
        "Wait a moment, then go back and try again."
      ]
    },
    broken: {
      title: "Something went wrong on our side",
      words: [`${nothingShared} Go back to the app and connect again.`]
    },
    unreadable: {
      title: "This request cannot be read",
      words: [`What your browser sent is not what our pages send. ${nothingShared}`]
    }
  }
}

export type PageWords = typeof english
