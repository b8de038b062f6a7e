/** pdf.js' thread, for a build that makes one script of it. */
// oxlint-disable-next-line import/no-unassigned-import -- it listens for messages
import "pdfjs-dist/legacy/build/pdf.worker.min.mjs"
