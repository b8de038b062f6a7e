/** pdf.js' thread, for a build that makes one script of it. */
import "pdfjs-dist/legacy/build/pdf.worker.min.mjs"
