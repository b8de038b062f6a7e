/** The words around a file that is shown, in English, which is the source. */
export const english = {
  file: "File",
  kinds: {
    "application/pdf": "PDF",
    "image/png": "Picture (PNG)",
    "image/jpeg": "Picture (JPEG)",
    "image/tiff": "Picture (TIFF)",
    "text/plain": "Text",
    "text/html": "Web page",
    "application/xml": "XML"
  },
  longText: "This is the beginning of a long text. Download it to see the rest."
}

/** Every other language has the same keys. A missing one does not compile. */
export type FileWords = typeof english
