import type { FileWords } from "./English.ts"

export const spanish: FileWords = {
  file: "Archivo",
  kinds: {
    "application/pdf": "PDF",
    "image/png": "Imagen (PNG)",
    "image/jpeg": "Imagen (JPEG)",
    "image/tiff": "Imagen (TIFF)",
    "text/plain": "Texto",
    "text/html": "Página web",
    "application/xml": "XML"
  },
  longText: "Este es el comienzo de un texto largo. Descárguelo para ver el resto."
}
