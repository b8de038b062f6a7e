import type { Summaries } from "../Translated.ts"

/** The service's sentences about events (DisclosureWords.ts) with their Spanish. Names stand in braces. */
export const spanishSummaries: Summaries = {
  parts: {
    "A provider": "un proveedor",
    "its recipient": "su destinatario",
    "an app": "una aplicación",
    "a document that is no longer there": "un documento que ya no existe",
    "your record": "su expediente",
    "your record, and nothing in it was shown": "su expediente, y no se le mostró nada de él",
    "your own entries": "sus propias palabras",
    "their notes": "las notas del proveedor",
    "the list of your documents": "la lista de sus documentos"
  },
  quoted: (title) => `«${title}»`,
  app: (name) => `la aplicación «${name}»`,
  release: (name) => `Autorización para ${name}`,
  withAlso: (types, also) => `${types}, además de ${also}`,
  kinds: {
    sync_stored: [["Your phone synchronised {types}.", "Su teléfono sincronizó {types}."]],
    grant_given: [["You let {provider} read your record.", "Usted permitió a {provider} leer su expediente."]],
    grant_revoked: [
      [
        "You ended a permission of {provider} to read your record.",
        "Usted quitó a {provider} un permiso para leer su expediente."
      ],
      [
        "The operator ended a permission of {provider} to read your record.",
        "El operador del servicio quitó a {provider} un permiso para leer su expediente."
      ]
    ],
    record_viewed: [["{provider} looked at {seen}.", "{provider} miró {seen}."]],
    record_saved: [
      ["{provider} saved a copy without items.", "{provider} guardó una copia sin datos."],
      ["{provider} saved a copy of {types}.", "{provider} guardó una copia de {types}."]
    ],
    note_written: [["{provider} wrote a note about you.", "{provider} escribió una nota sobre usted."]],
    document_stored: [["You stored {document}.", "Usted guardó {document}."]],
    document_read: [
      ["You opened {document}.", "Usted abrió {document}."],
      ["{provider} opened {document}.", "{provider} abrió {document}."]
    ],
    roi_signed: [
      ["You signed a release of information.", "Usted firmó una autorización para divulgar información."],
      ["You signed {document}.", "Usted firmó {document}."]
    ],
    link_created: [
      [
        "You made a link for {recipient} to {document}, which health apps can open too.",
        "Usted creó un enlace para {recipient} que lleva a {document}, y que las aplicaciones de salud también pueden abrir."
      ],
      [
        "You made a link for {recipient} to {document}.",
        "Usted creó un enlace para {recipient} que lleva a {document}."
      ]
    ],
    link_opened: [[
      "The link for {recipient} was opened; nothing was shown yet.",
      "El enlace para {recipient} se abrió; todavía no se mostró nada."
    ]],
    link_code_sent: [[
      "A one-time code was mailed to {recipient}.",
      "Se envió por correo un código de un solo uso a {recipient}."
    ]],
    link_code_failed: [[
      "A wrong or expired code was tried on the link for {recipient}.",
      "Se probó un código incorrecto o vencido en el enlace para {recipient}."
    ]],
    link_viewed: [
      ["{recipient} viewed {document} by link and code.", "{recipient} vio {document} con enlace y código."],
      [
        "{recipient} got {document} with its record into a health app by link and code.",
        "{recipient} recibió {document} con su expediente en una aplicación de salud, con enlace y código."
      ]
    ],
    link_revoked: [
      ["You ended the link for {recipient}.", "Usted desactivó el enlace para {recipient}."],
      ["The operator ended the link for {recipient}.",
        "El operador del servicio desactivó el enlace para {recipient}."],
      [
        "The link for {recipient} was ended after too many wrong codes.",
        "El enlace para {recipient} se desactivó después de demasiados códigos incorrectos."
      ]
    ],
    oauth_access_granted: [["You let {app} read your record.", "Usted permitió a {app} leer su expediente."]],
    oauth_access_denied: [[
      "You refused {app}, which had asked to read your record.",
      "Usted rechazó a {app}, que había pedido leer su expediente."
    ]],
    oauth_token_refreshed: [["{app} renewed its access.", "{app} renovó su acceso."]],
    oauth_access_used: [
      ["{app} read {read}.", "{app} leyó {read}."],
      ["{app} opened your record, and read nothing in it.", "{app} abrió su expediente y no leyó nada."],
      ["{app} looked for {types}, and found none.", "{app} buscó {types} y no encontró nada."]
    ],
    oauth_access_revoked: [
      ["You ended the access of {app} to your record.", "Usted quitó a {app} el acceso a su expediente."],
      [
        "The operator ended the access of {app} to your record.",
        "El operador del servicio quitó a {app} el acceso a su expediente."
      ],
      ["{app} gave back its access to your record.", "{app} devolvió su acceso a su expediente."]
    ],
    oauth_code_replayed: [[
      "The code that connected {app} was used a second time. Somebody may have copied it, so the access was ended.",
      "El código que conectó {app} se usó por segunda vez. Alguien pudo haberlo copiado, así que se quitó el acceso."
    ]],
    oauth_refresh_replayed: [[
      "An old key of {app} was used again. Somebody may have copied it, so the access was ended.",
      "Una clave vieja de {app} se usó otra vez. Alguien pudo haberla copiado, así que se quitó el acceso."
    ]],
    session_started: [
      [
        "You signed in with your face, fingerprint or passkey.",
        "Usted inició sesión con su cara, su huella o su llave de acceso."
      ],
      ["You signed in with your VA account.", "Usted inició sesión con su cuenta del VA."]
    ],
    session_ended: [
      ["You ended a sign-in.", "Usted cerró una sesión."],
      ["A sign-in was ended by the service.", "El servicio cerró una sesión."]
    ],
    passkey_added: [[
      "You added a passkey: a face, a fingerprint or a screen lock opens your record.",
      "Usted agregó una llave de acceso: una cara, una huella o un bloqueo de pantalla abre su expediente."
    ]],
    passkey_removed: [
      ["You removed a passkey.", "Usted quitó una llave de acceso."],
      ["A passkey was removed by the operator.", "El operador del servicio quitó una llave de acceso."]
    ],
    identity_paired: [
      [
        "The operator let a VA account open your record.",
        "El operador del servicio permitió que una cuenta del VA abra su expediente."
      ],
      ["You let another VA account open your record.", "Usted permitió que otra cuenta del VA abra su expediente."],
      ["You let your VA account open your record.", "Usted permitió que su cuenta del VA abra su expediente."]
    ],
    identity_removed: [
      [
        "You removed a VA account, and all sign-ins were ended.",
        "Usted quitó una cuenta del VA, y se cerraron todas las sesiones."
      ],
      [
        "The operator changed which VA account opens your record, and all sign-ins were ended.",
        "El operador del servicio cambió la cuenta del VA que abre su expediente, y se cerraron todas las sesiones."
      ]
    ],
    email_changed: [
      ["You changed your e-mail address.", "Usted cambió su correo electrónico."],
      ["The operator changed your e-mail address.", "El operador del servicio cambió su correo electrónico."]
    ],
    deletion_asked: [
      [
        "You asked for your record to be deleted, and all sharing was ended.",
        "Usted pidió que se borre su expediente, y se dejó de compartir todo."
      ],
      [
        "The operator asked for your record to be deleted, and all sharing was ended.",
        "El operador del servicio pidió que se borre su expediente, y se dejó de compartir todo."
      ]
    ],
    deletion_cancelled: [
      ["You cancelled the deletion of your record.", "Usted canceló el borrado de su expediente."],
      [
        "The operator cancelled the deletion of your record.",
        "El operador del servicio canceló el borrado de su expediente."
      ]
    ],
    deletion_done: [["Your record was deleted.", "Su expediente se borró."]],
    export_made: [
      ["You made a copy of all your data.", "Usted hizo una copia de todos sus datos."],
      [
        "The operator made a copy of all your data.",
        "El operador del servicio hizo una copia de todos sus datos."
      ]
    ],
    shape_exported: [
      ["You took {document} as FHIR data.", "Usted descargó {document} como datos FHIR."],
      [
        "You took a permission to read your record as FHIR data.",
        "Usted descargó un permiso para leer su expediente como datos FHIR."
      ],
      [
        "You took the account of who saw your record as FHIR data.",
        "Usted descargó la lista de quién vio su expediente como datos FHIR."
      ]
    ]
  }
}
