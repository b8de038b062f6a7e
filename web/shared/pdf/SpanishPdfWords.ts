import type { PdfWords } from "./PdfWords.ts"

export const spanishPdfWords: PdfWords = {
  opening: "Abriendo las páginas",
  count: (pages) => pages === 1 ? "1 página" : `${pages} páginas`,
  size: "Tamaño de las páginas",
  smaller: "Más pequeño",
  larger: "Más grande",
  asText: "Mostrar como texto",
  pages: "Páginas",
  page: (number, all) => `Página ${number} de ${all}`,
  pageFailed: "No podemos mostrar esta página aquí.",
  more: "Hay más páginas. Descargue el archivo para verlas.",
  contents: "Contenido",
  goTo: "Ir a la página",
  search: "Buscar en el documento",
  previous: "Resultado anterior",
  next: "Resultado siguiente",
  searching: (read, all) => `Buscando, ${read} de ${all} páginas leídas`,
  none: "No está en el documento",
  noneInText: "No está en el texto.",
  unsearched: (pages, all) => `No se buscó en páginas sin texto que podamos leer (como imágenes): ${pages} de ${all}.`,
  found: (at, all, page) => `${at} de ${all}, en la página ${page}`
}
